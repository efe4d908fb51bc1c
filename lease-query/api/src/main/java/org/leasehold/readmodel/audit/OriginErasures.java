package org.leasehold.readmodel.audit;

import org.jspecify.annotations.Nullable;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.UnknownMarker;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.UserId;

import java.time.Instant;

/** The erasures of the stored origins of requests, for auditors. */
public interface OriginErasures {

    /**
     * Returns erasures, newest first.
     *
     * @param marker the end of the page before; null for the first
     * @param limit the largest number of erasures
     * @throws UnknownMarker if no page gave the marker
     */
    Page<OriginErasure> list(@Nullable String marker, int limit);

    /**
     * An erasure.
     *
     * @param user the user who erased
     * @param project the project that the user acted for
     * @param reason the user's own words; null when there were none
     * @param ofUser the user whose requests it was about; null for everybody's
     * @param before only requests before this; null for all until then
     * @param erased the number of erased origins
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
