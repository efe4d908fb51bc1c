package org.leasehold.calendar;

import org.leasehold.lease.LeaseId;
import org.leasehold.lease.ReservationId;
import org.leasehold.lease.Tenure;

import java.util.Map;
import java.util.Optional;

/** Who really holds resources: from the decision to start until the cloud is clean again. */
public interface Tenures {

    /** The reservations that hold anything, and the leases that they are of. */
    Map<ReservationId, LeaseId> holders();

    /** The lease of a reservation that holds anything; empty for one that holds nothing. */
    Optional<LeaseId> leaseOf(ReservationId holder);

    /**
     * Fencing: false when the resources were released or taken over since: the caller must do
     * nothing.
     */
    boolean isCurrent(Tenure tenure);
}
