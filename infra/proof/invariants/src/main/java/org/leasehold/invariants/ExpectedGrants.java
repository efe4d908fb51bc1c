package org.leasehold.invariants;

import org.jspecify.annotations.Nullable;
import org.leasehold.calendar.Demand;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.LeaseEvent.ReservationGranted;
import org.leasehold.lease.LeaseEvent.ResourceReplaced;

import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;

/** The grants of resources to reservations, and the checks that they are correct. */
final class ExpectedGrants {

    private final ExpectedRecords records;
    private final Consumer<String> violations;

    ExpectedGrants(ExpectedRecords records, Consumer<String> violations) {
        this.records = records;
        this.violations = violations;
    }

    void grant(ReservationGranted event) {
        ExpectedReservationState reservation = records.reservation(event.reservationId());
        if (reservation.removed) {
            violations.accept("granted to a reservation that was removed: " + event);
        }
        Demand demand = reservation.demand();
        reservation.cleaning = event.cleaning();
        Window window = Window.of(event.period()).extendedBy(event.cleaning());
        Map<ResourceId, Window> before = new TreeMap<>();
        for (ResourceId resource : reservation.resources) {
            before.put(
                    resource,
                    Objects.requireNonNull(
                            records.promises.ofResource(resource).get(reservation.id)));
        }
        records.promises.removeAll(reservation.id);
        reservation.resources.clear();
        for (Allocation allocation : event.allocations()) {
            ResourceId resource = allocation.resource();
            checkGrant(reservation, resource, window, before.get(resource));
            reservation.resources.add(resource);
            records.promises.add(resource, reservation.id, window);
        }
        reservation.running.retainAll(reservation.resources);
        reservation.downResources.retainAll(reservation.resources);
        int count = reservation.resources.size();
        // A change of the window alone leaves a reservation all its resources.
        if (count < demand.minimum() || count > Math.max(demand.maximum(), before.size())) {
            violations.accept("%s got %s resources: %s".formatted(reservation.id, count, demand));
        }
    }

    /** Checks a grant. A holder keeps its resource as promised, whatever its properties. */
    private void checkGrant(
            ExpectedReservationState reservation,
            ResourceId id,
            Window window,
            @Nullable Window before) {
        ExpectedResourceState resource = records.resources.get(id);
        if (resource == null) {
            violations.accept("%s got %s, which is not enrolled".formatted(reservation.id, id));
        } else if (!resource.isEnabled() && before == null) {
            violations.accept("%s got %s, which is out of service".formatted(reservation.id, id));
        } else if (!resource.meets(reservation.demand().requirement())
                && !(reservation.id.equals(records.holdings.holder(id))
                        && before != null
                        && before.contains(window))) {
            violations.accept(
                    "%s got %s, which is not what it asked for".formatted(reservation.id, id));
        }
    }

    void replace(ResourceReplaced event, Instant decided) {
        ExpectedReservationState reservation = records.reservation(event.reservationId());
        ResourceId by = event.replacement().resource();
        records.promises.remove(event.replaced(), reservation.id);
        reservation.resources.remove(event.replaced());
        reservation.running.remove(event.replaced());
        reservation.downResources.remove(event.replaced());
        Window window =
                records.lease(event).period.clipStart(decided).extendedBy(reservation.cleaning);
        checkGrant(reservation, by, window, null);
        reservation.resources.add(by);
        records.promises.add(by, reservation.id, window);
    }
}
