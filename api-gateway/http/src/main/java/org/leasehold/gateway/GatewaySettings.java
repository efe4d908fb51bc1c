package org.leasehold.gateway;

import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotEmpty;
import jakarta.validation.constraints.Pattern;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * Settings of the HTTP interface.
 *
 * @param users the users who may log in with a name and a password
 * @param minutesBeforeEndLease how long before its end the end of a lease made through {@code /v1}
 *     is announced, unless the request says otherwise; 0 for no announcement
 * @param waitForIds how long the response to a creation through {@code /v1} waits for the ids that
 *     the cloud gives to a lease that starts at once; 0 for not at all
 * @param installation the name that events give as the engine that they come from
 * @param blazar the choices of policy on {@code /v1}
 */
@Validated
@ConfigurationProperties(prefix = "leasehold.gateway", ignoreUnknownFields = false)
public record GatewaySettings(
        @DefaultValue List<@Valid User> users,
        @DefaultValue("60") @Min(0) @Max(525_600) int minutesBeforeEndLease,
        @DefaultValue("3s") Duration waitForIds,
        @DefaultValue("leasehold") @Pattern(regexp = "[A-Za-z0-9._/:-]{1,200}") String installation,
        @DefaultValue @Valid Blazar blazar) {

    private static final Duration LONGEST_WAIT = Duration.ofSeconds(30);

    public GatewaySettings {
        if (waitForIds.isNegative() || waitForIds.compareTo(LONGEST_WAIT) > 0) {
            throw new IllegalArgumentException("wait-for-ids must be from 0 to " + LONGEST_WAIT);
        }
        users = List.copyOf(users);
    }

    /**
     * Choices that Blazar leaves to the operator's policy file.
     *
     * @param openProperties whether members and readers may list the properties of hosts
     * @param openHosts whether they may list hosts, without hidden properties
     * @param openAllocations whether they may list their own project's allocations of hosts
     */
    public record Blazar(
            @DefaultValue("false") boolean openProperties,
            @DefaultValue("false") boolean openHosts,
            @DefaultValue("false") boolean openAllocations) {

        /** Blazar's default policy: all is closed to members and readers. */
        public static final Blazar CLOSED = new Blazar(false, false, false);
    }

    /**
     * A user who may log in, always for the same project.
     *
     * @param password encoded, with its encoder's name: {@code {bcrypt}$2a$…}, {@code {noop}…}
     * @param roles names as in OpenStack: reader, member, admin, auditor, planner, biller
     */
    public record User(
            @NotBlank String name,
            @NotBlank String password,
            @NotBlank String userId,
            @NotBlank String projectId,
            @NotBlank String projectName,
            @NotEmpty Set<@NotBlank String> roles) {

        public User {
            roles = Set.copyOf(roles);
        }

        /** Hides the password, because settings end up in logs. */
        @Override
        public String toString() {
            return "User[" + name + " in " + projectName + " as " + roles + "]";
        }
    }
}
