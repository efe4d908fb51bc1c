package org.leasehold.query;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.LeaseId;
import org.leasehold.lease.ReservationId;
import org.leasehold.lease.UseObserved;

import java.time.Instant;
import java.util.List;

/** What leases have of the cloud, and what they were seen to use of it. */
public interface Uses {

    /** The whole resources of a kind that the cloud has given to leases, at an instant. */
    List<Given> given(ResourceKind kind, Instant at);

    /**
     * A resource that a reservation has.
     *
     * @param last what was seen to run on it last, as far as the read model goes; null if nobody
     *     has looked yet
     */
    record Given(
            LeaseId lease,
            ReservationId reservation,
            ResourceId resource,
            @Nullable UseObserved last) {}
}
