package org.leasehold.calendar;

import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.Tenure;

import java.util.Map;
import java.util.Optional;

/** The current holders of resources, from the decision to start until the cloud is clean again. */
public interface CurrentTenures {

    /** Returns the reservations that hold a resource, with their leases. */
    Map<ReservationId, LeaseId> holders();

    /** Returns the lease of a reservation; empty if the reservation holds no resource. */
    Optional<LeaseId> leaseOf(ReservationId holder);

    /** Returns false if the resources were released or handed over: the caller must do nothing. */
    boolean isCurrent(Tenure tenure);
}
