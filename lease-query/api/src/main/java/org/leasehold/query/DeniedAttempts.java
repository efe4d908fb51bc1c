package org.leasehold.query;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.RequestOrigin;
import org.leasehold.lease.ProjectId;
import org.leasehold.lease.UserId;

import java.time.Instant;
import java.util.List;

/** What callers tried in vain: for auditors. */
public interface DeniedAttempts {

    /**
     * Attempts, newest first.
     *
     * @throws UnknownMarker if the marker is not where a page ended
     */
    Page<DeniedAttempt> list(ListAttempts question);

    /**
     * Which attempts.
     *
     * @param user only those of the user with this id; null for all
     * @param project only those for which the user acted for the project with this id; null for all
     * @param target only those at a lease or a resource, by its id; null for all
     * @param targetProject only those at a lease of the project with this id, also one that is not
     *     there any more; null for all
     * @param addresses only those whose first request came from one of these; null for all
     * @param from only those of which the first of several was stored then or later; null for the
     *     beginning
     * @param to only those of which it was stored before; null for all until now
     * @param marker where the page before ended; null for the first
     * @param limit how many at most
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
     * @param at when it was stored, the first of several
     * @param lastAt the same of the last of them
     * @param times how often it was tried
     * @param project the one that the user acted for, whoever's the target is
     * @param roles those that the user had
     * @param attempt the command, or the policy's name of what was wanted
     * @param target the id of the lease or resource; the path that was asked for if none was looked
     *     for
     * @param why a single word: the name of the rejection, or of what was in the way
     * @param requestId the first request's
     * @param origin where that one came from; null if that is not kept any more
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
