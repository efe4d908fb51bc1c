package org.leasehold.invariants;

import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ReservationId;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** The expected resources, leases and reservations, with their promises and holders. */
final class ExpectedRecords {

    final Map<ResourceId, ExpectedResourceState> resources = new TreeMap<>();
    final Map<LeaseId, ExpectedLeaseState> leases = new LinkedHashMap<>();
    final Map<ReservationId, ExpectedReservationState> reservations = new LinkedHashMap<>();
    final PromisedWindows promises = new PromisedWindows();
    final Holdings holdings = new Holdings();

    ExpectedResourceState resource(ResourceId id) {
        return Objects.requireNonNull(resources.get(id));
    }

    ExpectedLeaseState lease(LeaseEvent event) {
        return Objects.requireNonNull(leases.get(event.leaseId()));
    }

    ExpectedReservationState reservation(ReservationId id) {
        return Objects.requireNonNull(reservations.get(id));
    }
}
