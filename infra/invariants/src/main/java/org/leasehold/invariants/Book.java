package org.leasehold.invariants;

import org.jspecify.annotations.Nullable;
import org.leasehold.calendar.Demand;
import org.leasehold.invariants.Possessions.Possession;
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
import org.leasehold.lease.LeaseId;
import org.leasehold.lease.LeasePast;
import org.leasehold.lease.ProjectId;
import org.leasehold.lease.ReservationId;
import org.leasehold.lease.ReservationWish;
import org.leasehold.lease.Tenure;

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
 * The promises and holders of resources. They are computed from the events alone and independently
 * of the engine. The book reports everything that no history may contain.
 */
public final class Book {

    private final Map<ResourceId, BookedResource> resources = new TreeMap<>();
    private final Map<LeaseId, BookedLease> leases = new LinkedHashMap<>();
    private final Map<ReservationId, BookedReservation> reservations = new LinkedHashMap<>();
    private final Promises promises = new Promises();
    private final Possessions possessions = new Possessions();
    private final Ledger ledger = new Ledger(promises, possessions);
    private final Map<ProjectId, Duration> used = new LinkedHashMap<>();
    private final Consumer<String> complaints;

    public Book(Consumer<String> complaints) {
        this.complaints = complaints;
    }

    public Map<ResourceId, BookedResource> resources() {
        return Collections.unmodifiableMap(resources);
    }

    public Map<LeaseId, BookedLease> leases() {
        return Collections.unmodifiableMap(leases);
    }

    public @Nullable BookedReservation find(ReservationId reservation) {
        return reservations.get(reservation);
    }

    public Promises promises() {
        return promises;
    }

    public Possessions possessions() {
        return possessions;
    }

    public Ledger ledger() {
        return ledger;
    }

    /** Returns the time for which projects had resources, counting only returned ones. */
    public Map<ProjectId, Duration> used() {
        return Collections.unmodifiableMap(used);
    }

    /**
     * Reports double promises since the last check; returns the resources with any change. Call it
     * between transactions.
     */
    public Set<ResourceId> checkPromises() {
        return promises.check(complaints);
    }

    public void apply(ResourceEvent event) {
        promises.touch(event.resourceId());
        switch (event) {
            case ResourceEnrolled enrolled ->
                    resources.put(enrolled.resourceId(), new BookedResource(enrolled));
            case ResourceChanged changed -> resource(changed.resourceId()).change(changed);
            case ResourceDescribed described -> resource(described.resourceId()).change(described);
            case ResourceDisabled disabled -> resource(disabled.resourceId()).disable(disabled);
            case ResourceEnabled enabled -> resource(enabled.resourceId()).enable();
            case ResourceRetired(var id) -> {
                if (possessions.holder(id) != null) {
                    complain(id + " was retired in somebody's hands");
                }
                resources.remove(id);
            }
        }
    }

    /** Applies an event that was decided at a time and stored at another. */
    public void apply(LeaseEvent event, Instant decided, Instant stored) {
        take(event, decided, stored);
        BookedLease lease = leases.get(event.leaseId());
        if (lease != null) {
            // An imported lease has had its resources since the start of its window.
            Instant since = event instanceof LeaseImported ? lease.period.start() : decided;
            lease.reservations.forEach(id -> ledger.look(lease, reservation(id), since));
        }
    }

    private void take(LeaseEvent event, Instant decided, Instant stored) {
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
            case LeaseImported imported -> takeOver(imported, stored);
            case ReservationAdjusting adjusting ->
                    takeUp(
                            reservation(adjusting.tenure().reservation()),
                            adjusting.joining(),
                            stored);
            case ReservationActivated activated -> run(reservation(activated.reservationId()));
            case ReservationAdjusted adjusted -> {
                letGo(reservation(adjusted.reservationId()), adjusted.left(), stored);
                run(reservation(adjusted.reservationId()));
            }
            case LeaseEnding ending -> shorten(lease(ending), decided);
            case ReservationReleased released -> release(released, decided, stored);
            case LeaseEnded ended -> end(ended);
            case LeaseDeleted deleted -> delete(deleted);
            case LeaseDelayed delayed -> lease(delayed).hindered = true;
            case ReservationFailed failed -> fail(failed);
            case ResourceFailed failed -> lose(failed);
            case ResourceRecovered recovered -> regain(recovered);
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
        BookedLease lease = new BookedLease(event.projectId(), Window.of(event.period()));
        leases.put(event.leaseId(), lease);
        event.reservations().forEach(wish -> add(wish, lease));
    }

    private void add(ReservationWish wish, BookedLease lease) {
        lease.reservations.add(wish.id());
        reservations.put(wish.id(), new BookedReservation(wish, lease));
    }

    private void grant(ReservationGranted event) {
        BookedReservation reservation = reservation(event.reservationId());
        Demand demand = reservation.demand();
        reservation.cleaning = event.cleaning();
        Window window = Window.of(event.period()).andThen(event.cleaning());
        Map<ResourceId, Window> before = new TreeMap<>();
        for (ResourceId resource : reservation.resources) {
            before.put(resource, Objects.requireNonNull(promises.of(resource).get(reservation.id)));
        }
        promises.takeAllBack(reservation.id);
        reservation.resources.clear();
        for (Allocation allocation : event.allocations()) {
            ResourceId resource = allocation.resource();
            check(reservation, resource, window, before.get(resource));
            reservation.resources.add(resource);
            promises.make(resource, reservation.id, window);
        }
        reservation.running.retainAll(reservation.resources);
        reservation.lacking.retainAll(reservation.resources);
        int count = reservation.resources.size();
        // A change of the window alone leaves a reservation all its resources.
        if (count < demand.minimum() || count > Math.max(demand.maximum(), before.size())) {
            complain("%s got %s resources: %s".formatted(reservation.id, count, demand));
        }
    }

    /** Checks a grant. A holder keeps its resource as promised, whatever its properties. */
    private void check(
            BookedReservation reservation, ResourceId id, Window window, @Nullable Window before) {
        BookedResource resource = resources.get(id);
        if (resource == null) {
            complain("%s got %s, which is not enrolled".formatted(reservation.id, id));
        } else if (!resource.isEnabled() && before == null) {
            complain("%s got %s, which is out of service".formatted(reservation.id, id));
        } else if (!resource.meets(reservation.demand().requirement())
                && !(reservation.id.equals(possessions.holder(id))
                        && before != null
                        && before.contains(window))) {
            complain("%s got %s, which is not what it asked for".formatted(reservation.id, id));
        }
    }

    private void replace(ResourceReplaced event, Instant decided) {
        BookedReservation reservation = reservation(event.reservationId());
        ResourceId by = event.replacement().resource();
        promises.takeBack(event.replaced(), reservation.id);
        reservation.resources.remove(event.replaced());
        reservation.running.remove(event.replaced());
        reservation.lacking.remove(event.replaced());
        Window window = lease(event).period.from(decided).andThen(reservation.cleaning);
        check(reservation, by, window, null);
        reservation.resources.add(by);
        promises.make(by, reservation.id, window);
    }

    private void start(LeaseStarting event, Instant decided, Instant stored) {
        BookedLease lease = lease(event);
        lease.started = true;
        if (decided.isBefore(lease.period.start()) || !decided.isBefore(lease.period.end())) {
            complain("%s started outside of its window".formatted(event.leaseId()));
        }
        if (lease.ending || lease.ended) {
            complain("%s started after its end".formatted(event.leaseId()));
        }
        for (Tenure tenure : event.tenures()) {
            BookedReservation reservation = reservation(tenure.reservation());
            takeUp(reservation, List.copyOf(reservation.resources), stored);
        }
    }

    /** Imports a lease, which may have started or ended before. */
    private void takeOver(LeaseImported event, Instant stored) {
        BookedLease lease = lease(event);
        switch (event.past().stage()) {
            case PENDING -> {}
            case ACTIVE -> lease.started = true;
            case FAILED -> lease.hindered = true;
            case ENDED -> lease.ended = true;
        }
        for (Tenure tenure : event.tenures()) {
            BookedReservation reservation = reservation(tenure.reservation());
            takeUp(reservation, List.copyOf(reservation.resources), stored);
            event.past()
                    .of(reservation.id)
                    .filter(past -> past.stage() == LeasePast.Stage.ACTIVE)
                    .ifPresent(_ -> run(reservation));
        }
    }

    private static void run(BookedReservation reservation) {
        reservation.running.addAll(reservation.resources);
    }

    private void fail(ReservationFailed event) {
        lease(event).hindered = true;
        if (event.action() == Action.START) {
            reservation(event.reservationId()).running.clear();
        }
    }

    private void lose(ResourceFailed event) {
        BookedReservation reservation = reservation(event.reservationId());
        if (!reservation.id.equals(possessions.holder(event.resourceId()))
                || !reservation.lacking.add(event.resourceId())) {
            complain("it has not, or has lost already: " + event);
        }
    }

    private void regain(ResourceRecovered event) {
        if (!reservation(event.reservationId()).lacking.remove(event.resourceId())) {
            complain("it had never lost: " + event);
        }
    }

    /** Returns resources that are down without their holder's knowledge, or vice versa. */
    public Set<ResourceId> misjudged() {
        Set<ResourceId> misjudged = new TreeSet<>();
        for (Possession possession : possessions.present()) {
            ResourceId resource = possession.resource();
            BookedReservation holder = reservation(possession.reservation());
            if (holder.resources.contains(resource)
                    && !holder.lease.ending
                    && holder.lacking.contains(resource) != resource(resource).isDown()) {
                misjudged.add(resource);
            }
        }
        return misjudged;
    }

    private void takeUp(BookedReservation reservation, List<ResourceId> taken, Instant stored) {
        for (ResourceId resource : taken) {
            promises.touch(resource);
            ReservationId other = possessions.take(resource, reservation.id, stored);
            if (other != null) {
                complain(
                        "%s took up %s while %s had it".formatted(reservation.id, resource, other));
            }
        }
    }

    private void letGo(BookedReservation reservation, List<ResourceId> left, Instant stored) {
        for (ResourceId resource : left) {
            Instant since = possessions.letGo(resource, reservation.id, stored);
            if (since != null) {
                promises.touch(resource);
                used.merge(reservation.project(), Duration.between(since, stored), Duration::plus);
            }
        }
    }

    private void release(ReservationReleased event, Instant decided, Instant stored) {
        BookedReservation reservation = reservation(event.reservationId());
        BookedLease lease = lease(event);
        if (!lease.ending) {
            // An operator ended the lease by force: the calendar changes at the same time.
            shorten(lease, decided);
        }
        letGo(reservation, possessions.heldBy(reservation.id), stored);
        reservation.resources.clear();
        reservation.lacking.clear();
    }

    /** Ends the lease in the calendar, once, when the end begins. */
    private void shorten(BookedLease lease, Instant at) {
        if (lease.ended) {
            complain("a lease ends that has ended: " + lease.reservations);
        }
        if (lease.ending) {
            // The end is requested again, perhaps by a node that was paused for hours.
            return;
        }
        lease.ending = true;
        lease.over = at;
        for (ReservationId id : lease.reservations) {
            BookedReservation reservation = reservation(id);
            reservation.running.clear();
            promises.resources()
                    .forEach(
                            resource -> {
                                Instant until = at.plus(cleaningAfter(reservation, resource));
                                promises.change(resource, id, window -> window.until(until));
                            });
        }
    }

    /** Returns the cleaning time; a resource that was never held needs none. */
    private Duration cleaningAfter(BookedReservation reservation, ResourceId resource) {
        return reservation.id.equals(possessions.holder(resource))
                ? reservation.cleaning
                : Duration.ZERO;
    }

    private void end(LeaseEnded event) {
        BookedLease lease = lease(event);
        if (lease.ended) {
            complain(event.leaseId() + " came to a second end");
        }
        lease.ended = true;
        for (ReservationId id : lease.reservations) {
            List<ResourceId> held = possessions.heldBy(id);
            if (!held.isEmpty()) {
                complain("%s ended, and %s holds %s".formatted(event.leaseId(), id, held));
            }
        }
    }

    private void delete(LeaseDeleted event) {
        BookedLease lease = lease(event);
        if (!lease.ended) {
            complain(event.leaseId() + " was deleted before its end");
        }
        if (lease.deleted) {
            complain(event.leaseId() + " was deleted twice");
        }
        lease.deleted = true;
    }

    private void complain(String complaint) {
        complaints.accept(complaint);
    }

    private BookedResource resource(ResourceId id) {
        return Objects.requireNonNull(resources.get(id));
    }

    private BookedLease lease(LeaseEvent event) {
        return Objects.requireNonNull(leases.get(event.leaseId()));
    }

    private BookedReservation reservation(ReservationId id) {
        return Objects.requireNonNull(reservations.get(id));
    }
}
