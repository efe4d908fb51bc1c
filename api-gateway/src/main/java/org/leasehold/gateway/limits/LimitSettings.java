package org.leasehold.gateway.limits;

import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

import java.time.Duration;

/** What one client may use of this node; other nodes count by themselves. */
@Validated
@ConfigurationProperties(prefix = LimitSettings.PREFIX, ignoreUnknownFields = false)
public record LimitSettings(
        @DefaultValue @Valid Requests requests, @DefaultValue @Valid Bodies bodies) {

    public static final String PREFIX = "leasehold.limits";

    /** The settings that nobody has changed. */
    public static final LimitSettings DEFAULT = new LimitSettings(Requests.DEFAULT, Bodies.DEFAULT);

    /**
     * Requests under way. One that has no slot waits for it.
     *
     * @param atOnce slots of one caller
     * @param allAtOnce slots of all callers together
     * @param anonymousAtOnce slots of one address whose requests need no login
     * @param allAnonymousAtOnce slots of all such addresses together
     * @param patience how long a request waits for a slot
     */
    public record Requests(
            @DefaultValue("32") @Min(1) @Max(100_000) int atOnce,
            @DefaultValue("256") @Min(1) @Max(100_000) int allAtOnce,
            @DefaultValue("8") @Min(1) @Max(100_000) int anonymousAtOnce,
            @DefaultValue("64") @Min(1) @Max(100_000) int allAnonymousAtOnce,
            @DefaultValue("10s") @NotNull Duration patience) {

        static final Requests DEFAULT = new Requests(32, 256, 8, 64, Duration.ofSeconds(10));

        public Requests {
            if (patience.isNegative()) {
                throw new IllegalArgumentException(PREFIX + ".requests.patience is not negative");
            }
        }
    }

    /**
     * Bodies of requests.
     *
     * @param within how long a whole body may take to arrive
     */
    public record Bodies(@DefaultValue("10s") @NotNull Duration within) {

        static final Bodies DEFAULT = new Bodies(Duration.ofSeconds(10));

        public Bodies {
            if (!within.isPositive()) {
                throw new IllegalArgumentException(PREFIX + ".bodies.within is positive");
            }
        }
    }
}
