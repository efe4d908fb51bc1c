package org.leasehold.resource.identity;

import org.jspecify.annotations.Nullable;
import org.leasehold.lease.ProjectId;
import org.leasehold.lease.UserId;

import java.time.Instant;
import java.util.List;
import java.util.Set;

/**
 * Somebody who has a valid token.
 *
 * @param roles as the cloud names them; those that others imply are among them
 * @param expires by the cloud's clock
 * @param auditIds names of the token that are no secret
 * @param users everybody on whom the token depends: with a trust there are several
 * @param accessRules the only requests that the token is good for; null for all
 */
public record Identity(
        UserId user,
        Scope scope,
        Set<String> roles,
        Instant expires,
        Set<String> auditIds,
        Set<UserId> users,
        @Nullable List<AccessRule> accessRules) {

    public Identity {
        roles = Set.copyOf(roles);
        auditIds = Set.copyOf(auditIds);
        users = Set.copyOf(users);
        accessRules = accessRules == null ? null : List.copyOf(accessRules);
    }

    /** Where the roles hold. */
    public sealed interface Scope {

        record Project(ProjectId id, String name) implements Scope {}

        /** The cloud as a whole, with all of its projects. */
        record WholeSystem() implements Scope {}

        /** A domain: its projects and users, and nothing in them. */
        record Domain() implements Scope {}

        /** The token proves who somebody is, and nothing else. */
        record Nowhere() implements Scope {}
    }

    /**
     * Requests that an application credential was restricted to.
     *
     * @param service a type, as the catalog has it
     * @param path may hold {@code *} and {@code {name}}, for one part of it, and {@code **}
     */
    public record AccessRule(String service, String method, String path) {}
}
