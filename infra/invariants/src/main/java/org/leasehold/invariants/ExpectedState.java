package org.leasehold.invariants;

import org.jspecify.annotations.Nullable;
import org.leasehold.calendar.Demand;
import org.leasehold.invariants.Holdings.Possession;
import org.leasehold.inventory.ResourceEvent;
import org.leasehold.inventory.ResourceEvent.ResourceChanged;
import org.leasehold.inventory.ResourceEvent.ResourceDescribed;
import org.leasehold.inventory.ResourceEvent.ResourceDisabled;
import org.leasehold.inventory.ResourceEvent.ResourceEnabled;
import org.leasehold.inventory.ResourceEvent.ResourceEnrolled;
import org.leasehold.inventory.ResourceEvent.ResourceRetired;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Action;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.LeaseActivated;
import org.leasehold.lease.LeaseEvent.LeaseChangeRefused;
import org.leasehold.lease.LeaseEvent.LeaseDelayed;
import org.leasehold.lease.LeaseEvent.LeaseDeleted;
import org.leasehold.lease.LeaseEvent.LeaseEndAnnounced;
import org.leasehold.lease.LeaseEvent.LeaseEnded;
import org.leasehold.lease.LeaseEvent.LeaseEnding;
import org.leasehold.lease.LeaseEvent.LeaseImported;
import org.leasehold.lease.LeaseEvent.LeaseRefused;
import org.leasehold.lease.LeaseEvent.LeaseRenamed;
import org.leasehold.lease.LeaseEvent.LeaseRequested;
import org.leasehold.lease.LeaseEvent.LeaseRescheduled;
import org.leasehold.lease.LeaseEvent.LeaseStarting;
import org.leasehold.lease.LeaseEvent.ReservationActivated;
import org.leasehold.lease.LeaseEvent.ReservationAdded;
import org.leasehold.lease.LeaseEvent.ReservationAdjusted;
import org.leasehold.lease.LeaseEvent.ReservationAdjusting;
import org.leasehold.lease.LeaseEvent.ReservationChanged;
import org.leasehold.lease.LeaseEvent.ReservationFailed;
import org.leasehold.lease.LeaseEvent.ReservationGranted;
import org.leasehold.lease.LeaseEvent.ReservationReleased;
import org.leasehold.lease.LeaseEvent.ResourceFailed;
import org.leasehold.lease.LeaseEvent.ResourceRecovered;
import org.leasehold.lease.LeaseEvent.ResourceReplaced;
import org.leasehold.lease.LeasePast;
import org.leasehold.lease.ReservationWish;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.Tenure;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * The expected promises and holders of resources, computed from the events alone and independently
 * of the engine. It reports everything that no history may contain.
 */
public final class ExpectedState {

    private final Map<ResourceId, ExpectedResource> resources = new TreeMap<>();
    private final Map<LeaseId, ExpectedLease> leases = new LinkedHashMap<>();
    private final Map<ReservationId, ExpectedReservation> reservations = new LinkedHashMap<>();
    private final PromisedWindows promises = new PromisedWindows();
    private final Holdings holdings = new Holdings();
    private final ExpectedUsage usage = new ExpectedUsage(promises, holdings);
    private final Map<ProjectId, Duration> usedTime = new LinkedHashMap<>();
    private final Consumer<String> violations;

    public ExpectedState(Consumer<String> complaints) {
        this.violations = complaints;
    }

    public Map<ResourceId, ExpectedResource> resources() {
        return Collections.unmodifiableMap(resources);
    }

    public Map<LeaseId, ExpectedLease> leases() {
        return Collections.unmodifiableMap(leases);
    }

    public @Nullable ExpectedReservation find(ReservationId reservation) {
        return reservations.get(reservation);
    }

    public PromisedWindows promises() {
        return promises;
    }

    public Holdings holdings() {
        return holdings;
    }

    public ExpectedUsage usage() {
        return usage;
    }

    /** Returns the time for which projects had resources, counting only returned ones. */
    public Map<ProjectId, Duration> usedTime() {
        return Collections.unmodifiableMap(usedTime);
    }

    /**
     * Reports double promises since the last check; returns the resources with any change. Call it
     * between transactions.
     */
    public Set<ResourceId> checkPromises() {
        return promises.check(violations);
    }

    public void apply(ResourceEvent event) {
        promises.markChanged(event.resourceId());
        switch (event) {
            case ResourceEnrolled enrolled ->
                    resources.put(enrolled.resourceId(), new ExpectedResource(enrolled));
            case ResourceChanged changed -> resource(changed.resourceId()).change(changed);
            case ResourceDescribed described -> resource(described.resourceId()).change(described);
            case ResourceDisabled disabled -> resource(disabled.resourceId()).disable(disabled);
            case ResourceEnabled enabled -> resource(enabled.resourceId()).enable();
            case ResourceRetired(var id) -> {
                if (holdings.holder(id) != null) {
                    reportViolation(id + " was retired in somebody's hands");
                }
                resources.remove(id);
            }
        }
    }

    /** Applies an event that was decided at a time and stored at another. */
    public void apply(LeaseEvent event, Instant decided, Instant stored) {
        applyChange(event, decided, stored);
        ExpectedLease lease = leases.get(event.leaseId());
        if (lease != null) {
            // An imported lease has had its resources since the start of its window.
            Instant since = event instanceof LeaseImported ? lease.period.start() : decided;
            lease.reservations.forEach(id -> usage.observe(lease, reservation(id), since));
        }
    }

    private void applyChange(LeaseEvent event, Instant decided, Instant stored) {
        switch (event) {
            case LeaseRequested requested -> request(requested);
            case LeaseRescheduled rescheduled ->
                    lease(rescheduled).period = Window.of(rescheduled.period());
            case ReservationChanged changed ->
                    reservation(changed.reservationId()).parameters = changed.parameters();
            case ReservationAdded added -> add(added.reservation(), lease(added));
            case ReservationGranted granted -> grant(granted);
            case ResourceReplaced replaced -> replace(replaced, decided);
            case LeaseStarting starting -> start(starting, decided, stored);
            case LeaseImported imported -> importLease(imported, stored);
            case ReservationAdjusting adjusting ->
                    holdResources(
                            reservation(adjusting.tenure().reservation()),
                            adjusting.joining(),
                            stored);
            case ReservationActivated activated ->
                    markRunning(reservation(activated.reservationId()));
            case ReservationAdjusted adjusted -> {
                releaseResources(reservation(adjusted.reservationId()), adjusted.left(), stored);
                markRunning(reservation(adjusted.reservationId()));
            }
            case LeaseEnding ending -> endInCalendar(lease(ending), decided);
            case ReservationReleased released -> release(released, decided, stored);
            case LeaseEnded ended -> end(ended);
            case LeaseDeleted deleted -> delete(deleted);
            case LeaseDelayed delayed -> lease(delayed).delayedOrFailed = true;
            case ReservationFailed failed -> failReservation(failed);
            case ResourceFailed failed -> failResource(failed);
            case ResourceRecovered recovered -> recoverResource(recovered);
            case LeaseRefused _,
                    LeaseRenamed _,
                    LeaseChangeRefused _,
                    LeaseActivated _,
                    LeaseEndAnnounced _ -> {
                // No effect on resources.
            }
        }
    }

    private void request(LeaseRequested event) {
        ExpectedLease lease = new ExpectedLease(event.projectId(), Window.of(event.period()));
        leases.put(event.leaseId(), lease);
        event.reservations().forEach(wish -> add(wish, lease));
    }

    private void add(ReservationWish wish, ExpectedLease lease) {
        lease.reservations.add(wish.id());
        reservations.put(wish.id(), new ExpectedReservation(wish, lease));
    }

    private void grant(ReservationGranted event) {
        ExpectedReservation reservation = reservation(event.reservationId());
        Demand demand = reservation.demand();
        reservation.cleaning = event.cleaning();
        Window window = Window.of(event.period()).extendedBy(event.cleaning());
        Map<ResourceId, Window> before = new TreeMap<>();
        for (ResourceId resource : reservation.resources) {
            before.put(
                    resource,
                    Objects.requireNonNull(promises.ofResource(resource).get(reservation.id)));
        }
        promises.removeAll(reservation.id);
        reservation.resources.clear();
        for (Allocation allocation : event.allocations()) {
            ResourceId resource = allocation.resource();
            checkGrant(reservation, resource, window, before.get(resource));
            reservation.resources.add(resource);
            promises.add(resource, reservation.id, window);
        }
        reservation.running.retainAll(reservation.resources);
        reservation.downResources.retainAll(reservation.resources);
        int count = reservation.resources.size();
        // A change of the window alone leaves a reservation all its resources.
        if (count < demand.minimum() || count > Math.max(demand.maximum(), before.size())) {
            reportViolation("%s got %s resources: %s".formatted(reservation.id, count, demand));
        }
    }

    /** Checks a grant. A holder keeps its resource as promised, whatever its properties. */
    private void checkGrant(
            ExpectedReservation reservation,
            ResourceId id,
            Window window,
            @Nullable Window before) {
        ExpectedResource resource = resources.get(id);
        if (resource == null) {
            reportViolation("%s got %s, which is not enrolled".formatted(reservation.id, id));
        } else if (!resource.isEnabled() && before == null) {
            reportViolation("%s got %s, which is out of service".formatted(reservation.id, id));
        } else if (!resource.meets(reservation.demand().requirement())
                && !(reservation.id.equals(holdings.holder(id))
                        && before != null
                        && before.contains(window))) {
            reportViolation(
                    "%s got %s, which is not what it asked for".formatted(reservation.id, id));
        }
    }

    private void replace(ResourceReplaced event, Instant decided) {
        ExpectedReservation reservation = reservation(event.reservationId());
        ResourceId by = event.replacement().resource();
        promises.remove(event.replaced(), reservation.id);
        reservation.resources.remove(event.replaced());
        reservation.running.remove(event.replaced());
        reservation.downResources.remove(event.replaced());
        Window window = lease(event).period.clipStart(decided).extendedBy(reservation.cleaning);
        checkGrant(reservation, by, window, null);
        reservation.resources.add(by);
        promises.add(by, reservation.id, window);
    }

    private void start(LeaseStarting event, Instant decided, Instant stored) {
        ExpectedLease lease = lease(event);
        lease.started = true;
        if (decided.isBefore(lease.period.start()) || !decided.isBefore(lease.period.end())) {
            reportViolation("%s started outside of its window".formatted(event.leaseId()));
        }
        if (lease.ending || lease.ended) {
            reportViolation("%s started after its end".formatted(event.leaseId()));
        }
        for (Tenure tenure : event.tenures()) {
            ExpectedReservation reservation = reservation(tenure.reservation());
            holdResources(reservation, List.copyOf(reservation.resources), stored);
        }
    }

    /** Imports a lease, which may have started or ended before. */
    private void importLease(LeaseImported event, Instant stored) {
        ExpectedLease lease = lease(event);
        switch (event.past().stage()) {
            case PENDING -> {}
            case ACTIVE -> lease.started = true;
            case FAILED -> lease.delayedOrFailed = true;
            case ENDED -> lease.ended = true;
        }
        for (Tenure tenure : event.tenures()) {
            ExpectedReservation reservation = reservation(tenure.reservation());
            holdResources(reservation, List.copyOf(reservation.resources), stored);
            event.past()
                    .of(reservation.id)
                    .filter(past -> past.stage() == LeasePast.Stage.ACTIVE)
                    .ifPresent(_ -> markRunning(reservation));
        }
    }

    private static void markRunning(ExpectedReservation reservation) {
        reservation.running.addAll(reservation.resources);
    }

    private void failReservation(ReservationFailed event) {
        lease(event).delayedOrFailed = true;
        if (event.action() == Action.START) {
            reservation(event.reservationId()).running.clear();
        }
    }

    private void failResource(ResourceFailed event) {
        ExpectedReservation reservation = reservation(event.reservationId());
        if (!reservation.id.equals(holdings.holder(event.resourceId()))
                || !reservation.downResources.add(event.resourceId())) {
            reportViolation("it has not, or has lost already: " + event);
        }
    }

    private void recoverResource(ResourceRecovered event) {
        if (!reservation(event.reservationId()).downResources.remove(event.resourceId())) {
            reportViolation("it had never lost: " + event);
        }
    }

    /** Returns resources that are down without their holder's knowledge, or vice versa. */
    public Set<ResourceId> findOutageMismatches() {
        Set<ResourceId> misjudged = new TreeSet<>();
        for (Possession possession : holdings.present()) {
            ResourceId resource = possession.resource();
            ExpectedReservation holder = reservation(possession.reservation());
            if (holder.resources.contains(resource)
                    && !holder.lease.ending
                    && holder.downResources.contains(resource) != resource(resource).isDown()) {
                misjudged.add(resource);
            }
        }
        return misjudged;
    }

    private void holdResources(
            ExpectedReservation reservation, List<ResourceId> taken, Instant stored) {
        for (ResourceId resource : taken) {
            promises.markChanged(resource);
            ReservationId other = holdings.addHolder(resource, reservation.id, stored);
            if (other != null) {
                reportViolation(
                        "%s took up %s while %s had it".formatted(reservation.id, resource, other));
            }
        }
    }

    private void releaseResources(
            ExpectedReservation reservation, List<ResourceId> left, Instant stored) {
        for (ResourceId resource : left) {
            Instant since = holdings.removeHolder(resource, reservation.id, stored);
            if (since != null) {
                promises.markChanged(resource);
                usedTime.merge(
                        reservation.project(), Duration.between(since, stored), Duration::plus);
            }
        }
    }

    private void release(ReservationReleased event, Instant decided, Instant stored) {
        ExpectedReservation reservation = reservation(event.reservationId());
        ExpectedLease lease = lease(event);
        if (!lease.ending) {
            // An operator ended the lease by force: the calendar changes at the same time.
            endInCalendar(lease, decided);
        }
        releaseResources(reservation, holdings.heldBy(reservation.id), stored);
        reservation.resources.clear();
        reservation.downResources.clear();
    }

    /** Ends the lease in the calendar, once, when the end begins. */
    private void endInCalendar(ExpectedLease lease, Instant at) {
        if (lease.ended) {
            reportViolation("a lease ends that has ended: " + lease.reservations);
        }
        if (lease.ending) {
            // The end is requested again, perhaps by a node that was paused for hours.
            return;
        }
        lease.ending = true;
        lease.endingSince = at;
        for (ReservationId id : lease.reservations) {
            ExpectedReservation reservation = reservation(id);
            reservation.running.clear();
            promises.resources()
                    .forEach(
                            resource -> {
                                Instant until = at.plus(cleaningAfter(reservation, resource));
                                promises.change(resource, id, window -> window.clipEnd(until));
                            });
        }
    }

    /** Returns the cleaning time; a resource that was never held needs none. */
    private Duration cleaningAfter(ExpectedReservation reservation, ResourceId resource) {
        return reservation.id.equals(holdings.holder(resource))
                ? reservation.cleaning
                : Duration.ZERO;
    }

    private void end(LeaseEnded event) {
        ExpectedLease lease = lease(event);
        if (lease.ended) {
            reportViolation(event.leaseId() + " came to a second end");
        }
        lease.ended = true;
        for (ReservationId id : lease.reservations) {
            List<ResourceId> held = holdings.heldBy(id);
            if (!held.isEmpty()) {
                reportViolation("%s ended, and %s holds %s".formatted(event.leaseId(), id, held));
            }
        }
    }

    private void delete(LeaseDeleted event) {
        ExpectedLease lease = lease(event);
        if (!lease.ended) {
            reportViolation(event.leaseId() + " was deleted before its end");
        }
        if (lease.deleted) {
            reportViolation(event.leaseId() + " was deleted twice");
        }
        lease.deleted = true;
    }

    private void reportViolation(String complaint) {
        violations.accept(complaint);
    }

    private ExpectedResource resource(ResourceId id) {
        return Objects.requireNonNull(resources.get(id));
    }

    private ExpectedLease lease(LeaseEvent event) {
        return Objects.requireNonNull(leases.get(event.leaseId()));
    }

    private ExpectedReservation reservation(ReservationId id) {
        return Objects.requireNonNull(reservations.get(id));
    }
}
