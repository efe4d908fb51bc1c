package org.leasehold.readmodel.capacity;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceId;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ReservationId;

import java.time.Instant;
import java.util.Set;

/** The query for the latest end that a lease can have with the resources that it has. */
public interface LatestEnds {

    /**
     * Returns the latest end of a lease, by the bookings of its resources. A later one may still be
     * possible with other resources. The calendar may refuse it for a resource that no longer meets
     * the filters of the reservation.
     *
     * @param reservations the reservations that the lease has, without removed ones
     * @param end the present end of the lease
     */
    LatestEnd find(LeaseId lease, Set<ReservationId> reservations, Instant end);

    /**
     * The latest end of a lease.
     *
     * @param at never before the present end; null if no booking limits it
     * @param limitedBy the resource that another booking needs then, or that is out of service;
     *     null if there is none
     */
    record LatestEnd(@Nullable Instant at, @Nullable ResourceId limitedBy) {

        /** The end of a lease that no booking limits. */
        public static final LatestEnd UNLIMITED = new LatestEnd(null, null);
    }
}
