package org.leasehold.command;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/**
 * Who sends a command, when, and because of what. It is stored with every event that the command
 * causes, the idempotency key excepted; and the origin, which is kept beside them.
 *
 * @param now the time at which the command is decided
 * @param requestId names the request in logs and answers
 * @param user the user's id; null for the engine itself
 * @param project the project that the user acts for; null for the engine itself
 * @param roles the user's roles in that project
 * @param authentication how the caller proved who they are: {@code basic}, {@code keystone}, {@code
 *     engine}; {@code petition} for who has written it on a thing of theirs
 * @param causation the event that led to the command; null for a command from outside
 * @param reason why, in the caller's own words; null when not given
 * @param idempotency lets a repeated request be answered without doing it again; null for none
 * @param expectedVersions the versions of the lease that the caller takes for the present one: with
 *     any other the command is rejected; null when every version will do
 * @param origin where the request came from; null if it came through no network
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

    /** The context of who asks through no network. */
    public CommandContext(
            Instant now,
            String requestId,
            @Nullable String user,
            @Nullable String project,
            List<String> roles,
            String authentication,
            @Nullable String causation,
            @Nullable String reason,
            @Nullable Idempotency idempotency,
            @Nullable Set<Long> expectedVersions) {
        this(
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
                null);
    }

    /** The context of what the engine does by itself. */
    public static CommandContext engine(Instant now, String requestId, @Nullable String causation) {
        return new CommandContext(
                now, requestId, null, null, List.of(), "engine", causation, null, null, null);
    }

    /** The same with a reason. */
    public CommandContext because(String why) {
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

    /**
     * The same for a caller who wants the lease changed only as they saw it; null if they do not.
     */
    public CommandContext expecting(@Nullable Set<Long> versions) {
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

    /**
     * A request that may be repeated safely for a day.
     *
     * @param project the project whose key it is; keys of different projects never meet
     * @param key the caller's name for the request
     * @param bodyHash tells the same request from another one with the same key
     * @param user the user whose key it is, so that keys of different users never meet; null for a
     *     key that all users of the project share
     */
    public record Idempotency(String project, String key, String bodyHash, @Nullable String user) {

        /** For how long a key is remembered. */
        public static final Duration MEMORY = Duration.ofDays(1);

        /** A key that all users of a project share. */
        public Idempotency(String project, String key, String bodyHash) {
            this(project, key, bodyHash, null);
        }

        /** Names the user or the project whose key it is. */
        public String owner() {
            return user == null ? project : project + "\n" + user;
        }

        /** The same key, shared by all users of the project: as earlier versions stored it. */
        public Idempotency ofWholeProject() {
            return new Idempotency(project, key, bodyHash);
        }
    }
}
