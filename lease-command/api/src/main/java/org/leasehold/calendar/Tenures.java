package org.leasehold.calendar;

import org.leasehold.lease.LeaseId;
import org.leasehold.lease.ReservationId;
import org.leasehold.lease.Tenure;

import java.util.Map;

/** Who really holds resources: from the decision to start until the cloud is clean again. */
public interface Tenures {

    /** The reservations that hold anything, and the leases that they are of. */
    Map<ReservationId, LeaseId> holders();

    /**
     * Fencing: false when the resources were released or taken over since: the caller must do
     * nothing.
     */
    boolean isCurrent(Tenure tenure);
}
