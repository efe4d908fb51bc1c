package org.leasehold.query;

import org.jspecify.annotations.Nullable;
import org.leasehold.lease.ProjectId;
import org.leasehold.lease.UserId;

import java.time.Instant;

/** Who had it erased from where requests came: for auditors. */
public interface OriginErasures {

    /**
     * Erasures, newest first.
     *
     * @param marker where the page before ended; null for the first
     * @param limit how many at most
     * @throws UnknownMarker if the marker is not where a page ended
     */
    Page<OriginErasure> list(@Nullable String marker, int limit);

    /**
     * An erasure.
     *
     * @param user who erased
     * @param project the one that they acted for
     * @param reason their own words; null when there were none
     * @param ofUser whose requests it was about; null for everybody's
     * @param before only requests before this; null for all until then
     * @param erased of how many requests
     */
    record OriginErasure(
            Instant at,
            UserId user,
            ProjectId project,
            String requestId,
            @Nullable String reason,
            @Nullable String ofUser,
            @Nullable Instant before,
            long erased) {}
}
