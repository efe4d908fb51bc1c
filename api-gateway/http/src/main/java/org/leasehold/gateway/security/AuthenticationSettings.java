package org.leasehold.gateway.security;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

import java.net.URI;
import java.time.Duration;
import java.util.Set;

/**
 * Settings of the authentication of callers.
 *
 * @param cacheTime how long a token that Keystone accepted is accepted without another call; 0 to
 *     call every time
 * @param mostCached the most tokens in the cache
 * @param revocationInterval how often Keystone is queried for revocations; 0 for never
 * @param timeout the timeout of one call of Keystone
 * @param loginUrl the address that callers without a valid token get; null for the engine's
 * @param auditorRoles Keystone's roles whose holders are auditors here, in every project
 * @param plannerRoles the same for planners
 * @param billerRoles the same for billers
 * @param memberRoles Keystone's further roles whose holders are members of their project here
 */
@Validated
@ConfigurationProperties(prefix = "leasehold.authentication", ignoreUnknownFields = false)
public record AuthenticationSettings(
        @DefaultValue("basic") Method method,
        @DefaultValue("300s") @NotNull Duration cacheTime,
        @DefaultValue("10000") @Min(1) @Max(1_000_000) int mostCached,
        @DefaultValue("5s") @NotNull Duration revocationInterval,
        @DefaultValue("10s") @NotNull Duration timeout,
        @Nullable URI loginUrl,
        @DefaultValue Set<String> auditorRoles,
        @DefaultValue Set<String> plannerRoles,
        @DefaultValue Set<String> billerRoles,
        @DefaultValue Set<String> memberRoles) {

    /** The source of the identities of callers. */
    public enum Method {
        /** The configuration, by name and password. */
        BASIC,
        /** Keystone, by token. */
        KEYSTONE
    }

    public AuthenticationSettings {
        auditorRoles = Set.copyOf(auditorRoles);
        plannerRoles = Set.copyOf(plannerRoles);
        billerRoles = Set.copyOf(billerRoles);
        memberRoles = Set.copyOf(memberRoles);
        if (cacheTime.isNegative() || revocationInterval.isNegative()) {
            throw new IllegalArgumentException(
                    "leasehold.authentication.cache-time and revocation-interval are not negative");
        }
        if (!timeout.isPositive()) {
            throw new IllegalArgumentException("leasehold.authentication.timeout is positive");
        }
    }
}
