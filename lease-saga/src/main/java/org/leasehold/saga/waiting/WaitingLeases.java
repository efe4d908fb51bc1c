package org.leasehold.saga.waiting;

import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ReservationId;

import java.util.Collection;
import java.util.List;
import java.util.Map;

/** The waits of leases for reservations. Calls in a transaction take effect with it. */
public interface WaitingLeases {

    /** Replaces the waits of these leases; an empty list ends a lease's waits. */
    void replaceWaits(Map<LeaseId, List<ReservationId>> awaited);

    /** Returns every wait for one of these, in the order of the leases. */
    List<Wait> findWaits(Collection<ReservationId> awaited);

    /** The wait of a lease for a reservation. */
    record Wait(LeaseId lease, ReservationId awaited) {}
}
