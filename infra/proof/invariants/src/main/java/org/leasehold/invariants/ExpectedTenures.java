package org.leasehold.invariants;

import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.LeaseEvent.LeaseDeleted;
import org.leasehold.lease.LeaseEvent.LeaseEnded;
import org.leasehold.lease.LeaseEvent.LeaseImported;
import org.leasehold.lease.LeaseEvent.LeaseStarting;
import org.leasehold.lease.LeaseEvent.ReservationReleased;
import org.leasehold.lease.LeaseEvent.ReservationRemoved;
import org.leasehold.lease.LeasePast;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.Tenure;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** The starts and ends of leases, and the holders of resources in between. */
final class ExpectedTenures {

    private final Map<ProjectId, Duration> usedTime = new LinkedHashMap<>();
    private final ExpectedRecords records;
    private final Consumer<String> violations;

    ExpectedTenures(ExpectedRecords records, Consumer<String> violations) {
        this.records = records;
        this.violations = violations;
    }

    /** Returns the time for which projects had resources, counting only returned ones. */
    Map<ProjectId, Duration> usedTime() {
        return Collections.unmodifiableMap(usedTime);
    }

    void start(LeaseStarting event, Instant decided, Instant stored) {
        ExpectedLeaseState lease = records.lease(event);
        lease.started = true;
        if (decided.isBefore(lease.period.start()) || !decided.isBefore(lease.period.end())) {
            violations.accept("%s started outside of its window".formatted(event.leaseId()));
        }
        if (lease.ending || lease.ended) {
            violations.accept("%s started after its end".formatted(event.leaseId()));
        }
        for (Tenure tenure : event.tenures()) {
            ExpectedReservationState reservation = records.reservation(tenure.reservation());
            holdResources(reservation, List.copyOf(reservation.resources), stored);
        }
    }

    /** Imports a lease, which may have started or ended before. */
    void importLease(LeaseImported event, Instant stored) {
        ExpectedLeaseState lease = records.lease(event);
        switch (event.past().stage()) {
            case PENDING -> {}
            case ACTIVE -> lease.started = true;
            case FAILED -> lease.delayedOrFailed = true;
            case ENDED -> lease.ended = true;
        }
        for (Tenure tenure : event.tenures()) {
            ExpectedReservationState reservation = records.reservation(tenure.reservation());
            holdResources(reservation, List.copyOf(reservation.resources), stored);
            event.past()
                    .of(reservation.id)
                    .filter(past -> past.stage() == LeasePast.Stage.ACTIVE)
                    .ifPresent(_ -> markRunning(reservation));
        }
    }

    static void markRunning(ExpectedReservationState reservation) {
        reservation.activated = true;
        reservation.running.addAll(reservation.resources);
    }

    void holdResources(
            ExpectedReservationState reservation, List<ResourceId> taken, Instant stored) {
        for (ResourceId resource : taken) {
            records.promises.markChanged(resource);
            ReservationId other = records.holdings.addHolder(resource, reservation.id, stored);
            if (other != null) {
                violations.accept(
                        "%s took up %s while %s had it".formatted(reservation.id, resource, other));
            }
        }
    }

    void releaseResources(
            ExpectedReservationState reservation, List<ResourceId> left, Instant stored) {
        for (ResourceId resource : left) {
            Instant since = records.holdings.removeHolder(resource, reservation.id, stored);
            if (since != null) {
                records.promises.markChanged(resource);
                usedTime.merge(
                        reservation.project(), Duration.between(since, stored), Duration::plus);
            }
        }
    }

    void release(ReservationReleased event, Instant decided, Instant stored) {
        ExpectedReservationState reservation = records.reservation(event.reservationId());
        ExpectedLeaseState lease = records.lease(event);
        if (!lease.ending && !reservation.removed) {
            // An operator ended the lease by force: the calendar changes at the same time.
            endInCalendar(lease, decided);
        }
        releaseResources(reservation, records.holdings.heldBy(reservation.id), stored);
        reservation.resources.clear();
        reservation.downResources.clear();
    }

    /** Ends the lease in the calendar, once, when the end begins. */
    void endInCalendar(ExpectedLeaseState lease, Instant at) {
        if (lease.ended) {
            violations.accept("a lease ends that has ended: " + lease.reservations);
        }
        if (lease.ending) {
            // The end is requested again, perhaps by a node that was paused for hours.
            return;
        }
        lease.ending = true;
        lease.endingSince = at;
        for (ReservationId id : lease.reservations) {
            ExpectedReservationState reservation = records.reservation(id);
            if (!reservation.removed) {
                endInCalendar(reservation, at);
            }
        }
    }

    private void endInCalendar(ExpectedReservationState reservation, Instant at) {
        reservation.running.clear();
        records.promises
                .resources()
                .forEach(
                        resource -> {
                            Instant until = at.plus(cleaningAfter(reservation, resource));
                            records.promises.change(
                                    resource, reservation.id, window -> window.clipEnd(until));
                        });
    }

    /** Removes a reservation from the calendar, once; a failed removal is repeated. */
    void remove(ReservationRemoved event, Instant decided) {
        ExpectedReservationState reservation = records.reservation(event.reservationId());
        ExpectedLeaseState lease = records.lease(event);
        if (lease.ending || lease.ended) {
            violations.accept("removed from a lease that ends: " + event);
        }
        boolean holds = !records.holdings.heldBy(reservation.id).isEmpty();
        if (holds != (event.tenure() != null)) {
            violations.accept("removed with the wrong tenure: " + event);
        }
        if (!reservation.removed) {
            reservation.removed = true;
            reservation.removedAt = decided;
            endInCalendar(reservation, decided);
        }
        if (lease.reservations.stream().map(records::reservation).allMatch(r -> r.removed)) {
            violations.accept(event.leaseId() + " has no reservation left");
        }
    }

    /** Returns the cleaning time; a resource that was never held needs none. */
    private Duration cleaningAfter(ExpectedReservationState reservation, ResourceId resource) {
        return reservation.id.equals(records.holdings.holder(resource))
                ? reservation.cleaning
                : Duration.ZERO;
    }

    void end(LeaseEnded event) {
        ExpectedLeaseState lease = records.lease(event);
        if (lease.ended) {
            violations.accept(event.leaseId() + " came to a second end");
        }
        lease.ended = true;
        for (ReservationId id : lease.reservations) {
            List<ResourceId> held = records.holdings.heldBy(id);
            if (!held.isEmpty()) {
                violations.accept("%s ended, and %s holds %s".formatted(event.leaseId(), id, held));
            }
        }
    }

    void delete(LeaseDeleted event) {
        ExpectedLeaseState lease = records.lease(event);
        if (!lease.ended) {
            violations.accept(event.leaseId() + " was deleted before its end");
        }
        if (lease.deleted) {
            violations.accept(event.leaseId() + " was deleted twice");
        }
        lease.deleted = true;
    }
}
