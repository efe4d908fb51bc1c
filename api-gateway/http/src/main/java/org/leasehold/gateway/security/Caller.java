package org.leasehold.gateway.security;

import org.jspecify.annotations.Nullable;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.UserId;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/**
 * The caller of a request. Controllers get it as their {@code @AuthenticationPrincipal}.
 *
 * @param userName the name with which they log in
 * @param project the project that they act for
 * @param roles their roles in that project, without the implied ones
 * @param authentication the method of their login, such as {@code basic}
 */
public record Caller(
        UserId user,
        String userName,
        ProjectId project,
        String projectName,
        Set<Role> roles,
        String authentication) {

    /** The project of callers whose token is for the whole system. */
    private static final ProjectId NO_PROJECT = new ProjectId("-");

    public Caller {
        if (roles.isEmpty()) {
            throw new IllegalArgumentException("a caller needs a role");
        }
        // An enum set keeps one order in every process, which the roles in an event need.
        roles = Collections.unmodifiableSet(EnumSet.copyOf(roles));
    }

    /**
     * Returns a caller whose token is for the whole system, which is no project. They cannot do
     * anything that needs a project.
     */
    static Caller ofSystem(UserId user, String userName, Set<Role> roles) {
        return new Caller(user, userName, NO_PROJECT, "", roles, TokenFilter.AUTHENTICATION_METHOD);
    }

    /** Returns whether they act for a project, and not for the whole system. */
    public boolean hasProject() {
        return !project.equals(NO_PROJECT);
    }

    /** Returns whether they have a role, directly or through another one. */
    public boolean hasRole(Role role) {
        return roles.stream().anyMatch(own -> own.implies(role));
    }

    /** Returns the only project whose leases they see; null when they see those of all projects. */
    public @Nullable ProjectId readScope() {
        return Collections.disjoint(roles, Role.ACROSS_PROJECTS) ? project : null;
    }

    /** Returns the only project whose leases they change; null when they change all. */
    public @Nullable ProjectId writeScope() {
        return hasRole(Role.ADMIN) ? null : project;
    }
}
