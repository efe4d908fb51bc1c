package org.leasehold.saga.waiting;

import org.leasehold.lease.LeaseId;
import org.leasehold.lease.ReservationId;

import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * Which lease waits for which reservations. What is called in a transaction takes effect with it.
 */
public interface Waits {

    /**
     * From now on each of these leases waits for these reservations and for no others; for nobody,
     * if there are none.
     */
    void put(Map<LeaseId, List<ReservationId>> awaited);

    /** Every wait for one of these, in the order of the leases. */
    List<Wait> of(Collection<ReservationId> awaited);

    /** One lease waits for one reservation. */
    record Wait(LeaseId lease, ReservationId awaited) {}
}
