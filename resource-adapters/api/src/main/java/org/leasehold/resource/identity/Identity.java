package org.leasehold.resource.identity;

import org.jspecify.annotations.Nullable;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.UserId;

import java.time.Instant;
import java.util.List;
import java.util.Set;

/**
 * The user of a valid token.
 *
 * @param userName the name with which the user logs in
 * @param roles as the cloud names them, implied roles included
 * @param expires by the cloud's clock
 * @param auditIds ids of the token that are no secret
 * @param users all users on whom the token depends: with a trust there are several
 * @param accessRules the only requests that the token permits; null for all
 */
public record Identity(
        UserId user,
        String userName,
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

    /** The scope in which the roles are valid. */
    public sealed interface Scope {

        record Project(ProjectId id, String name) implements Scope {}

        /** The cloud as a whole, with all of its projects. */
        record WholeSystem() implements Scope {}

        /** A domain: its projects and users, without their content. */
        record Domain() implements Scope {}

        /** No scope: the token proves the user's identity only. */
        record Nowhere() implements Scope {}
    }

    /**
     * Requests that an application credential was restricted to.
     *
     * @param service a type, as in the catalog
     * @param path may hold {@code *} and {@code {name}}, for one part of it, and {@code **}
     */
    public record AccessRule(String service, String method, String path) {}
}
