package org.leasehold.resource;

import org.leasehold.lease.Fault;
import org.leasehold.vocabulary.ReservationId;

import java.util.Set;

/** The reservations that lack a part in the cloud. */
public sealed interface LossResult {

    /** The complete result. */
    record Known(Set<ReservationId> reservations) implements LossResult {

        public Known {
            reservations = Set.copyOf(reservations);
        }
    }

    /** No result, because the plug-in does not check this. */
    record Unchecked() implements LossResult {}

    /** A failed check: the cloud did not respond. */
    record Unknown(Fault fault) implements LossResult {}
}
