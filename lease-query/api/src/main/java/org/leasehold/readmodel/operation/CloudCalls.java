package org.leasehold.readmodel.operation;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Fault;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.UnknownMarker;
import org.leasehold.readmodel.operation.StuckActionQuery.Target;
import org.leasehold.vocabulary.LeaseId;

import java.time.Instant;

/**
 * The engine's calls of plug-ins in the cloud, with their causes and results, for auditors. If the
 * process died during a call, the call is missing; its repetition is listed.
 */
public interface CloudCalls {

    /**
     * Returns calls, newest first.
     *
     * @throws UnknownMarker if no page gave the marker
     */
    Page<CloudCall> list(ListCalls question);

    /**
     * A query for calls.
     *
     * @param lease only those for a lease; null for all
     * @param resource only those for a resource; null for all
     * @param requestId only those that a request caused, even indirectly; null for all
     * @param from only those that ended then or later; null for the beginning
     * @param to only those that ended before; null for all until now
     * @param marker the end of the page before; null for the first
     * @param limit the largest number of calls
     */
    record ListCalls(
            @Nullable LeaseId lease,
            @Nullable ResourceId resource,
            @Nullable String requestId,
            @Nullable Instant from,
            @Nullable Instant to,
            @Nullable String marker,
            int limit) {}

    /**
     * One attempt of a plug-in's action. While the cloud works on it, the plug-in polls; only the
     * last poll is listed.
     *
     * @param attempt 1 for the first
     * @param fault the failure; null for success
     * @param requestId the request that caused it; the cloud received the same id
     * @param causation the id of the event that caused it
     */
    record CloudCall(
            Target target,
            int attempt,
            Instant began,
            Instant ended,
            @Nullable Fault fault,
            String requestId,
            String causation) {}
}
