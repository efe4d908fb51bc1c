package org.leasehold.query;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.LeaseId;
import org.leasehold.lease.ProjectId;
import org.leasehold.lease.ReservationId;
import org.leasehold.lease.UseObserved;

import java.time.Instant;
import java.util.List;

/** What leases have of the cloud, and what they were seen to use of it. */
public interface Uses {

    /** The whole resources of a kind that the cloud has given to leases, at an instant. */
    List<Given> given(ResourceKind kind, Instant at);

    /** What the resources of each kind that leases have were seen to run last, by kind. */
    List<Standing> standing(Instant at);

    /**
     * What runs on the whole resources of a kind that the cloud has given to leases.
     *
     * @param idle how many of them run nothing
     * @param servers how many there are on all of them, switched on or off
     * @param vcpus the virtual processors of these
     */
    record Standing(ResourceKind kind, long idle, long servers, long vcpus) {}

    /**
     * A resource that a reservation has, as a whole.
     *
     * @param last what was seen to run on it last, as far as the read model goes; null if nobody
     *     has looked yet
     */
    record Given(
            LeaseId lease,
            ProjectId project,
            ReservationId reservation,
            ResourceId resource,
            @Nullable UseObserved last) {}
}
