package org.leasehold.readmodel.audit;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.RequestOrigin;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.UnknownMarker;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.UserId;

import java.time.Instant;
import java.util.List;

/** Denials and rejections of callers' attempts, for auditors. */
public interface DeniedAttempts {

    /**
     * Returns attempts, newest first.
     *
     * @throws UnknownMarker if no page gave the marker
     */
    Page<DeniedAttempt> list(ListAttempts question);

    /**
     * A query for attempts.
     *
     * @param user only those of the user with this id; null for all
     * @param project only those for which the user acted for the project with this id; null for all
     * @param target only those at a lease or a resource, by its id; null for all
     * @param targetProject only those at a lease of the project with this id, also at a deleted
     *     one; null for all
     * @param addresses only those whose first request came from one of these; null for all
     * @param from only those whose first occurrence was stored then or later; null for the
     *     beginning
     * @param to only those whose first occurrence was stored before; null for all until now
     * @param marker the end of the page before; null for the first
     * @param limit the largest number of attempts
     */
    record ListAttempts(
            @Nullable String user,
            @Nullable String project,
            @Nullable String target,
            @Nullable String targetProject,
            @Nullable AddressRange addresses,
            @Nullable Instant from,
            @Nullable Instant to,
            @Nullable String marker,
            int limit) {}

    /**
     * An attempt, or several equal ones within a minute.
     *
     * @param at the time at which the first of them was stored
     * @param lastAt the time at which the last of them was stored
     * @param times the number of attempts
     * @param project the project that the user acted for, whatever the target's project
     * @param roles the user's roles
     * @param attempt the command, or the policy's name of the action
     * @param target the id of the lease or resource; the requested path if none was looked up
     * @param why a single word: the name of the rejection or of the obstacle
     * @param requestId the first request's
     * @param origin the first request's origin; null if it is no longer stored
     */
    record DeniedAttempt(
            Instant at,
            Instant lastAt,
            long times,
            UserId user,
            ProjectId project,
            List<String> roles,
            String attempt,
            String target,
            String why,
            String requestId,
            @Nullable RequestOrigin origin) {

        public DeniedAttempt {
            roles = List.copyOf(roles);
        }
    }
}
