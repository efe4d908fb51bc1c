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
 * How callers prove who they are.
 *
 * @param cacheTime how long a token that Keystone accepted is accepted without asking again; 0 to
 *     ask every time
 * @param mostCached tokens at a time
 * @param revocationInterval how often Keystone is asked what was revoked; 0 for never
 * @param timeout for one question to Keystone
 * @param loginUrl what callers without a valid token are told; null for where the engine asks
 * @param auditorRoles Keystone's roles whose holders are auditors here, in every project
 * @param plannerRoles the same for planners
 * @param billerRoles the same for billers
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
        @DefaultValue Set<String> billerRoles) {

    /** Who says who somebody is. */
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
        if (cacheTime.isNegative() || revocationInterval.isNegative()) {
            throw new IllegalArgumentException(
                    "leasehold.authentication.cache-time and revocation-interval are not negative");
        }
        if (!timeout.isPositive()) {
            throw new IllegalArgumentException("leasehold.authentication.timeout is positive");
        }
    }
}
