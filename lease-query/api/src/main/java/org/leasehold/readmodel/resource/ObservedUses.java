package org.leasehold.readmodel.resource;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.UseObserved;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;

import java.time.Instant;
import java.util.List;

/** The resources that leases have of the cloud, and their observed use. */
public interface ObservedUses {

    /** Returns the whole resources of a kind that the cloud has given to leases, at an instant. */
    List<Given> leasedResources(ResourceKind kind, Instant at);

    /** Returns the last observed use of the leased resources, by kind. */
    List<Standing> lastUseByKind(Instant at);

    /**
     * The use of the whole resources of a kind that the cloud has given to leases.
     *
     * @param idle the number of resources that run nothing
     * @param servers the number of servers on all of them, switched on or off
     * @param vcpus the virtual processors of these servers
     */
    record Standing(ResourceKind kind, long idle, long servers, long vcpus) {}

    /**
     * A resource that a reservation has as a whole.
     *
     * @param last the last observed use in the read model; null if there is no observation yet
     */
    record Given(
            LeaseId lease,
            ProjectId project,
            ReservationId reservation,
            ResourceId resource,
            @Nullable UseObserved last) {}
}
