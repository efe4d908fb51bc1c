package org.leasehold.command;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/**
 * The sender, time and cause of a command. Every event of the command stores it, except the
 * idempotency key and the origin. The origin is stored in a separate table.
 *
 * @param now the time that the decision uses
 * @param requestId the id of the request in logs and responses
 * @param user the user's id; null for the engine itself
 * @param project the project that the user acts for; null for the engine itself
 * @param roles the user's roles in that project
 * @param authentication the way the caller authenticated: {@code basic}, {@code keystone}, {@code
 *     engine}; {@code petition} for a request in the metadata of the user's cloud resource
 * @param causation the event that led to the command; null for a command from outside
 * @param reason the reason in the caller's words; null if absent
 * @param idempotency the key that prevents a repeated request from acting twice; null for none
 * @param expectedVersions the lease versions that the caller accepts; the engine rejects the
 *     command at any other version; null accepts every version
 * @param origin the origin of the request; null if it did not come over a network
 */
public record CommandContext(
        Instant now,
        String requestId,
        @Nullable String user,
        @Nullable String project,
        List<String> roles,
        String authentication,
        @Nullable String causation,
        @Nullable String reason,
        @Nullable Idempotency idempotency,
        @Nullable Set<Long> expectedVersions,
        @Nullable RequestOrigin origin) {

    public CommandContext {
        roles = List.copyOf(roles);
        expectedVersions = expectedVersions == null ? null : Set.copyOf(expectedVersions);
    }

    /**
     * Creates the context of a command without a cause, a reason, expected versions and an origin.
     */
    public CommandContext(
            Instant now,
            String requestId,
            @Nullable String user,
            @Nullable String project,
            List<String> roles,
            String authentication,
            @Nullable Idempotency idempotency) {
        this(
                now,
                requestId,
                user,
                project,
                roles,
                authentication,
                null,
                null,
                idempotency,
                null,
                null);
    }

    /** Creates the context of a command that the engine sends by itself. */
    public static CommandContext ofEngine(
            Instant now, String requestId, @Nullable String causation) {
        return new CommandContext(
                now, requestId, null, null, List.of(), "engine", causation, null, null, null, null);
    }

    /** Returns whether the engine sends the command by itself. */
    public boolean isFromEngine() {
        return user == null;
    }

    /** Returns the same context with another reason; null for none. */
    public CommandContext withReason(@Nullable String why) {
        return new CommandContext(
                now,
                requestId,
                user,
                project,
                roles,
                authentication,
                causation,
                why,
                idempotency,
                expectedVersions,
                origin);
    }

    /** Returns the same context with expected versions; null accepts every version. */
    public CommandContext withExpectedVersions(@Nullable Set<Long> versions) {
        return new CommandContext(
                now,
                requestId,
                user,
                project,
                roles,
                authentication,
                causation,
                reason,
                idempotency,
                versions,
                origin);
    }

    /** Returns the same context of a command that came over a network. */
    public CommandContext withOrigin(RequestOrigin requestOrigin) {
        return new CommandContext(
                now,
                requestId,
                user,
                project,
                roles,
                authentication,
                causation,
                reason,
                idempotency,
                expectedVersions,
                requestOrigin);
    }

    /**
     * The idempotency key of a request. The caller can safely repeat the request for a day.
     *
     * @param project the project that owns the key; keys of different projects are distinct
     * @param key the caller's name for the request
     * @param bodyHash distinguishes the same request from another one with the same key
     * @param user the user who owns the key, so that keys of different users are distinct; null for
     *     a key that all users of the project share
     */
    public record Idempotency(String project, String key, String bodyHash, @Nullable String user) {

        /** The time for which the engine stores a key. */
        public static final Duration RETENTION = Duration.ofDays(1);

        /** Creates a key that all users of a project share. */
        public Idempotency(String project, String key, String bodyHash) {
            this(project, key, bodyHash, null);
        }

        /** Returns an identifier of the user or the project that owns the key. */
        public String owner() {
            return user == null ? project : project + "\n" + user;
        }

        /** Returns the key as earlier versions stored it: shared by all users of the project. */
        public Idempotency sharedByProject() {
            return new Idempotency(project, key, bodyHash);
        }
    }
}
