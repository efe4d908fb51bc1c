package org.leasehold.saga.reconciliation;

import org.leasehold.calendar.CurrentTenures;
import org.leasehold.inventory.ResourceId;
import org.leasehold.readmodel.lease.LeaseStatus;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.readmodel.lease.Leases;
import org.leasehold.readmodel.lease.ReservationView;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ReservationId;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The resources that reservations hold. */
public final class HeldResources {

    private final CurrentTenures tenures;
    private final Leases leases;

    public HeldResources(CurrentTenures tenures, Leases leases) {
        this.tenures = tenures;
        this.leases = leases;
    }

    /** Returns the reservations that hold anything now, with their leases. */
    public Map<ReservationId, LeaseId> holders() {
        return tenures.holders();
    }

    /** Returns a reservation with the status of its lease; empty if there is none. */
    public Optional<Holder> find(LeaseId lease, ReservationId reservation) {
        return leases.find(lease, null).stream()
                .flatMap(found -> Holder.of(found).stream())
                .filter(one -> one.reservation().id().equals(reservation))
                .findFirst();
    }

    /**
     * Returns the resources that are held as a whole now, with their holders. It reads every lease
     * that holds anything.
     */
    public Map<ResourceId, Holder> currentHolders() {
        Map<ResourceId, Holder> holders = new HashMap<>();
        tenures.holders()
                .forEach(
                        (reservation, lease) ->
                                find(lease, reservation).ifPresent(one -> one.addTo(holders)));
        return holders;
    }

    /** A reservation that holds a resource, and the status of its lease. */
    public record Holder(LeaseId lease, LeaseStatus status, ReservationView reservation) {

        private static List<Holder> of(LeaseView lease) {
            return lease.reservations().stream()
                    .map(each -> new Holder(lease.id(), lease.status(), each))
                    .toList();
        }

        private void addTo(Map<ResourceId, Holder> holders) {
            reservation.allocations().stream()
                    .filter(allocation -> allocation.share() == null)
                    .forEach(allocation -> holders.put(allocation.resource(), this));
        }

        /** Returns whether the cloud has yet to give it its resources. */
        public boolean isStarting() {
            return status == LeaseStatus.STARTING
                    && reservation.status() == ReservationView.Status.PENDING;
        }

        /** Returns whether it has, or should have, all its resources. */
        public boolean isActive() {
            return status == LeaseStatus.ACTIVE
                    && reservation.status() == ReservationView.Status.ACTIVE;
        }
    }
}
