package org.leasehold.gateway.security;

import org.jspecify.annotations.Nullable;
import org.leasehold.lease.ProjectId;
import org.leasehold.lease.UserId;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/**
 * Who asks. Controllers get it as their {@code @AuthenticationPrincipal}.
 *
 * @param project the project that they act for
 * @param roles their roles in that project, without the implied ones
 * @param authentication how they proved who they are, such as {@code basic}
 */
public record Caller(
        UserId user,
        ProjectId project,
        String projectName,
        Set<Role> roles,
        String authentication) {

    public Caller {
        if (roles.isEmpty()) {
            throw new IllegalArgumentException("somebody without a role is nobody");
        }
        // An enum set keeps one order in every process, which the roles in an event need.
        roles = Collections.unmodifiableSet(EnumSet.copyOf(roles));
    }

    /**
     * Somebody whom Keystone knows in the whole system, which is no project. They do nothing for
     * which there would have to be one.
     */
    static Caller ofSystem(UserId user, Set<Role> roles) {
        return new Caller(user, new ProjectId("-"), "", roles, TokenFilter.AUTHENTICATION);
    }

    /** Whether they have a role, be it through another one. */
    public boolean is(Role role) {
        return roles.stream().anyMatch(own -> own.implies(role));
    }

    /** The only project whose leases they see; null when they see every project's. */
    public @Nullable ProjectId readScope() {
        return Collections.disjoint(roles, Role.ACROSS_PROJECTS) ? project : null;
    }

    /** The only project whose leases they change; null when they change every project's. */
    public @Nullable ProjectId writeScope() {
        return is(Role.ADMIN) ? null : project;
    }
}
