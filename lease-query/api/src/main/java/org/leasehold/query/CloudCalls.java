package org.leasehold.query;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Fault;
import org.leasehold.lease.LeaseId;
import org.leasehold.query.Stuck.Target;

import java.time.Instant;

/**
 * What the engine has asked plugins to do in the cloud, because of what, and what came of it: for
 * auditors. A call that its process did not survive is not among them; the one that repeats it is.
 */
public interface CloudCalls {

    /**
     * Calls, newest first.
     *
     * @throws UnknownMarker if the marker is not where a page ended
     */
    Page<CloudCall> list(ListCalls question);

    /**
     * Which calls.
     *
     * @param lease only those for a lease; null for all
     * @param resource only those for a resource; null for all
     * @param requestId only those because of a request, however indirectly; null for all
     * @param from only those that ended then or later; null for the beginning
     * @param to only those that ended before; null for all until now
     * @param marker where the page before ended; null for the first
     * @param limit how many at most
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
     * A plugin's action, tried once. While the cloud is about it the plugin looks again and again;
     * of these looks the last one is told.
     *
     * @param attempt 1 for the first
     * @param fault what was in the way; null if it is done
     * @param requestId the request because of which it was done; the cloud was told the same
     * @param causation the id of the event because of which it was done
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
