package org.leasehold.readmodel.audit;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.RequestOrigin;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.UnknownMarker;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.UserId;

import java.time.Instant;
import java.util.List;

/** Reads beyond a caller's project, for auditors. */
public interface PrivilegedReads {

    /**
     * Returns reads, newest first.
     *
     * @throws UnknownMarker if no page gave the marker
     */
    Page<PrivilegedRead> list(ListReads query);

    /**
     * A query for reads.
     *
     * @param user only those of the user with this id; null for all
     * @param project only those for which the user acted for the project with this id; null for all
     * @param action only those of the action with this policy name; null for all
     * @param filter only those whose path or filter contains this text; null for all
     * @param from only those whose first occurrence was stored then or later; null for the
     *     beginning
     * @param to only those whose first occurrence was stored before; null for all until now
     * @param marker the end of the page before; null for the first
     * @param limit the largest number of reads
     */
    record ListReads(
            @Nullable String user,
            @Nullable String project,
            @Nullable String action,
            @Nullable String filter,
            @Nullable Instant from,
            @Nullable Instant to,
            @Nullable String marker,
            int limit) {}

    /**
     * A read, or several equal ones within a minute.
     *
     * @param at the time at which the first of them was stored
     * @param lastAt the time at which the last of them was stored
     * @param times the number of reads
     * @param project the project that the user acted for
     * @param roles the user's roles
     * @param action the policy's name of the action
     * @param path the requested path
     * @param filter the query parameters that select data; empty for none
     * @param reason the reason, in the user's own words; null if there was none
     * @param requestId the first request's
     * @param origin the first request's origin; null if it is no longer stored
     */
    record PrivilegedRead(
            Instant at,
            Instant lastAt,
            long times,
            UserId user,
            ProjectId project,
            List<String> roles,
            String action,
            String path,
            String filter,
            @Nullable String reason,
            String requestId,
            @Nullable RequestOrigin origin) {

        public PrivilegedRead {
            roles = List.copyOf(roles);
        }
    }
}
