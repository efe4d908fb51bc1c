package org.leasehold.gateway.limits;

import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;
import org.springframework.validation.annotation.Validated;

import java.time.Duration;

/** Limits on what one client may use of this node; each node counts for itself. */
@Validated
@ConfigurationProperties(prefix = LimitSettings.PREFIX, ignoreUnknownFields = false)
public record LimitSettings(
        @DefaultValue @Valid Requests requests,
        @DefaultValue @Valid Bodies bodies,
        @DefaultValue @Valid Logins logins) {

    public static final String PREFIX = "leasehold.limits";

    /**
     * Limits of requests. A request without a slot waits for one.
     *
     * @param perSecond how many requests one caller, or one address without a login, may send in a
     *     second; 0 for any number
     * @param burst how many of them may come at once after a time without requests
     * @param atOnce slots of one caller
     * @param allAtOnce slots of all callers together
     * @param anonymousAtOnce slots of one address whose requests need no login
     * @param allAnonymousAtOnce slots of all such addresses together
     * @param patience the longest time that a request waits for a slot
     */
    public record Requests(
            @DefaultValue("500") @Min(0) @Max(1_000_000) int perSecond,
            @DefaultValue("5000") @Min(1) @Max(10_000_000) int burst,
            @DefaultValue("8") @Min(1) @Max(100_000) int atOnce,
            @DefaultValue("256") @Min(1) @Max(100_000) int allAtOnce,
            @DefaultValue("8") @Min(1) @Max(100_000) int anonymousAtOnce,
            @DefaultValue("64") @Min(1) @Max(100_000) int allAnonymousAtOnce,
            @DefaultValue("10s") @NotNull Duration patience) {

        public Requests {
            if (patience.isNegative()) {
                throw new IllegalArgumentException(PREFIX + ".requests.patience is not negative");
            }
        }
    }

    /**
     * Limits of logins with a name and a password.
     *
     * @param failures how many may fail from one address, as one user, before it has to pause
     * @param pause the first pause; each further failure doubles it
     * @param longestPause the longest pause
     * @param checksAtOnce how many passwords are hashed at the same time, which is slow on purpose
     */
    public record Logins(
            @DefaultValue("10") @Min(1) @Max(1_000_000) int failures,
            @DefaultValue("1s") @NotNull Duration pause,
            @DefaultValue("5m") @NotNull Duration longestPause,
            @DefaultValue("2") @Min(1) @Max(1000) int checksAtOnce) {

        private static final Duration LONGEST = Duration.ofDays(1);

        public Logins {
            if (!pause.isPositive()
                    || pause.compareTo(longestPause) > 0
                    || longestPause.compareTo(LONGEST) > 0) {
                throw new IllegalArgumentException(
                        PREFIX
                                + ".logins: pause is positive, and not longer than longest-pause,"
                                + " which is at most a day");
            }
        }
    }

    /**
     * Limits of request bodies.
     *
     * @param within the longest time in which a whole body must arrive
     * @param largest the most bytes of one body
     * @param largestTemplate the most bytes of one body with reservations, which may have templates
     *     of stacks
     * @param ofOneCaller the most bytes of all bodies of one caller that are being served; bodies
     *     beyond {@code largest} have a second budget of that size
     * @param all the most bytes of all bodies that are being served; likewise
     */
    public record Bodies(
            @DefaultValue("10s") @NotNull Duration within,
            @DefaultValue("64KB") @NotNull DataSize largest,
            @DefaultValue("1MB") @NotNull DataSize largestTemplate,
            @DefaultValue("1MB") @NotNull DataSize ofOneCaller,
            @DefaultValue("4MB") @NotNull DataSize all) {

        private static final DataSize SMALLEST = DataSize.ofKilobytes(1);

        public Bodies {
            if (!within.isPositive()) {
                throw new IllegalArgumentException(PREFIX + ".bodies.within is positive");
            }
            if (SMALLEST.compareTo(largest) > 0
                    || largest.compareTo(largestTemplate) > 0
                    || largestTemplate.compareTo(ofOneCaller) > 0
                    || ofOneCaller.compareTo(all) > 0
                    || all.toBytes() > Integer.MAX_VALUE) {
                throw new IllegalArgumentException(
                        PREFIX
                                + ".bodies: 1KB, largest, largest-template, of-one-caller, all and"
                                + " 2047MB do not go down in this order");
            }
        }
    }
}
