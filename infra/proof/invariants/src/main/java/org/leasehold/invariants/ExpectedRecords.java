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

    final Map<ResourceId, ExpectedResource> resources = new TreeMap<>();
    final Map<LeaseId, ExpectedLease> leases = new LinkedHashMap<>();
    final Map<ReservationId, ExpectedReservation> reservations = new LinkedHashMap<>();
    final PromisedWindows promises = new PromisedWindows();
    final Holdings holdings = new Holdings();

    ExpectedResource resource(ResourceId id) {
        return Objects.requireNonNull(resources.get(id));
    }

    ExpectedLease lease(LeaseEvent event) {
        return Objects.requireNonNull(leases.get(event.leaseId()));
    }

    ExpectedReservation reservation(ReservationId id) {
        return Objects.requireNonNull(reservations.get(id));
    }
}
