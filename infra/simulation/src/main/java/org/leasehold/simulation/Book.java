package org.leasehold.simulation;

import org.jspecify.annotations.Nullable;
import org.leasehold.calendar.Demand;
import org.leasehold.inventory.ResourceEvent;
import org.leasehold.inventory.ResourceEvent.ResourceChanged;
import org.leasehold.inventory.ResourceEvent.ResourceDisabled;
import org.leasehold.inventory.ResourceEvent.ResourceEnabled;
import org.leasehold.inventory.ResourceEvent.ResourceEnrolled;
import org.leasehold.inventory.ResourceEvent.ResourceRetired;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.LeaseActivated;
import org.leasehold.lease.LeaseEvent.LeaseChangeRefused;
import org.leasehold.lease.LeaseEvent.LeaseDelayed;
import org.leasehold.lease.LeaseEvent.LeaseDeleted;
import org.leasehold.lease.LeaseEvent.LeaseEndAnnounced;
import org.leasehold.lease.LeaseEvent.LeaseEnded;
import org.leasehold.lease.LeaseEvent.LeaseEnding;
import org.leasehold.lease.LeaseEvent.LeaseRefused;
import org.leasehold.lease.LeaseEvent.LeaseRenamed;
import org.leasehold.lease.LeaseEvent.LeaseRequested;
import org.leasehold.lease.LeaseEvent.LeaseRescheduled;
import org.leasehold.lease.LeaseEvent.LeaseStarting;
import org.leasehold.lease.LeaseEvent.ReservationActivated;
import org.leasehold.lease.LeaseEvent.ReservationAdjusted;
import org.leasehold.lease.LeaseEvent.ReservationAdjusting;
import org.leasehold.lease.LeaseEvent.ReservationChanged;
import org.leasehold.lease.LeaseEvent.ReservationFailed;
import org.leasehold.lease.LeaseEvent.ReservationGranted;
import org.leasehold.lease.LeaseEvent.ReservationReleased;
import org.leasehold.lease.LeaseEvent.ResourceReplaced;
import org.leasehold.lease.LeaseId;
import org.leasehold.lease.LeasePeriod;
import org.leasehold.lease.ProjectId;
import org.leasehold.lease.ReservationId;
import org.leasehold.lease.ReservationWish;
import org.leasehold.lease.Tenure;
import org.leasehold.resource.Planning;
import org.leasehold.resource.host.HostPlanning;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * Who was promised what and who has what, made from the events alone and in another way than the
 * engine makes it. Complains of whatever no history may hold.
 */
final class Book {

    private static final Planning HOSTS = new HostPlanning();

    final Map<ResourceId, Resource> resources = new TreeMap<>();
    final Map<LeaseId, Lease> leases = new LinkedHashMap<>();
    final Map<ReservationId, Reservation> reservations = new LinkedHashMap<>();

    /** The promises on each resource, by reservation. */
    final Map<ResourceId, Map<ReservationId, Window>> claims = new TreeMap<>();

    /** Which reservation has a resource in its hands. */
    final Map<ResourceId, ReservationId> holders = new TreeMap<>();

    /** For how long projects had resources in their hands; only what they have given back. */
    final Map<ProjectId, Duration> used = new LinkedHashMap<>();

    /** Resources of which something changed since somebody took a look. */
    final Set<ResourceId> touched = new TreeSet<>();

    private final Map<ResourceId, Instant> takenAt = new TreeMap<>();
    private final Consumer<String> complaints;

    Book(Consumer<String> complaints) {
        this.complaints = complaints;
    }

    void apply(ResourceEvent event) {
        touched.add(event.resourceId());
        switch (event) {
            case ResourceEnrolled enrolled ->
                    resources.put(enrolled.resourceId(), new Resource(enrolled));
            case ResourceChanged changed -> {
                Resource resource = resource(changed.resourceId());
                changed.removed().forEach(resource.properties::remove);
                resource.properties.putAll(changed.set());
            }
            case ResourceDisabled disabled -> resource(disabled.resourceId()).enabled = false;
            case ResourceEnabled enabled -> resource(enabled.resourceId()).enabled = true;
            case ResourceRetired(var id) -> {
                if (holders.containsKey(id)) {
                    complain(id + " was retired in somebody's hands");
                }
                resources.remove(id);
            }
        }
    }

    /** Takes note of an event that was decided at a time and stored at another. */
    void apply(LeaseEvent event, Instant decided, Instant stored) {
        switch (event) {
            case LeaseRequested requested -> request(requested);
            case LeaseRescheduled rescheduled ->
                    lease(rescheduled).period = Window.of(rescheduled.period());
            case ReservationChanged changed ->
                    reservation(changed.reservationId()).parameters = changed.parameters();
            case ReservationGranted granted -> grant(granted);
            case ResourceReplaced replaced -> replace(replaced, decided);
            case LeaseStarting starting -> start(starting, decided, stored);
            case ReservationAdjusting adjusting ->
                    takeUp(
                            reservation(adjusting.tenure().reservation()),
                            adjusting.joining(),
                            stored);
            case ReservationAdjusted adjusted ->
                    letGo(reservation(adjusted.reservationId()), adjusted.left(), stored);
            case LeaseEnding ending -> shorten(lease(ending), decided);
            case ReservationReleased released -> release(released, decided, stored);
            case LeaseEnded ended -> end(ended);
            case LeaseDeleted deleted -> delete(deleted);
            case LeaseDelayed delayed -> lease(delayed).hindered = true;
            case ReservationFailed failed -> lease(failed).hindered = true;
            case LeaseRefused _,
                    LeaseRenamed _,
                    LeaseChangeRefused _,
                    LeaseActivated _,
                    ReservationActivated _,
                    LeaseEndAnnounced _ -> {
                // Says nothing about who has what.
            }
        }
    }

    private void request(LeaseRequested event) {
        Lease lease = new Lease(event.projectId(), Window.of(event.period()));
        leases.put(event.leaseId(), lease);
        for (ReservationWish wish : event.reservations()) {
            lease.reservations.add(wish.id());
            reservations.put(wish.id(), new Reservation(wish, event.projectId()));
        }
    }

    private void grant(ReservationGranted event) {
        Reservation reservation = reservation(event.reservationId());
        Demand demand = reservation.demand();
        reservation.cleaning = event.cleaning();
        Window window = Window.of(event.period()).andThen(event.cleaning());
        Set<ResourceId> before = Set.copyOf(reservation.resources);
        claims.forEach(
                (resource, claimed) -> {
                    if (claimed.remove(reservation.id) != null) {
                        touched.add(resource);
                    }
                });
        reservation.resources.clear();
        for (Allocation allocation : event.allocations()) {
            ResourceId resource = allocation.resource();
            check(reservation, demand, resource, before.contains(resource));
            reservation.resources.add(resource);
            claim(reservation, resource, window);
        }
        int count = reservation.resources.size();
        // A change of the window alone leaves a reservation all that it has.
        if (count < demand.minimum() || count > Math.max(demand.maximum(), before.size())) {
            complain("%s got %d resources: %s".formatted(reservation.id, count, demand));
        }
    }

    private void check(Reservation reservation, Demand demand, ResourceId id, boolean hadIt) {
        Resource resource = resources.get(id);
        if (resource == null) {
            complain("%s got %s, which is not enrolled".formatted(reservation.id, id));
        } else if (!resource.enabled && !hadIt) {
            complain("%s got %s, which is out of service".formatted(reservation.id, id));
        } else if (!demand.requirement().isMetBy(resource.properties)) {
            complain("%s got %s, which is not what it asked for".formatted(reservation.id, id));
        }
    }

    private void replace(ResourceReplaced event, Instant decided) {
        Reservation reservation = reservation(event.reservationId());
        ResourceId by = event.replacement().resource();
        claims.getOrDefault(event.replaced(), new LinkedHashMap<>()).remove(reservation.id);
        touched.add(event.replaced());
        reservation.resources.remove(event.replaced());
        check(reservation, reservation.demand(), by, false);
        reservation.resources.add(by);
        claim(reservation, by, lease(event).period.from(decided).andThen(reservation.cleaning));
    }

    private void claim(Reservation reservation, ResourceId resource, Window window) {
        claims.computeIfAbsent(resource, _ -> new LinkedHashMap<>()).put(reservation.id, window);
        touched.add(resource);
    }

    private void start(LeaseStarting event, Instant decided, Instant stored) {
        Lease lease = lease(event);
        lease.started = true;
        if (decided.isBefore(lease.period.start()) || !decided.isBefore(lease.period.end())) {
            complain("%s started outside of its window".formatted(event.leaseId()));
        }
        if (lease.ending || lease.ended) {
            complain("%s started after its end".formatted(event.leaseId()));
        }
        for (Tenure tenure : event.tenures()) {
            Reservation reservation = reservation(tenure.reservation());
            takeUp(reservation, List.copyOf(reservation.resources), stored);
        }
    }

    private void takeUp(Reservation reservation, List<ResourceId> taken, Instant stored) {
        for (ResourceId resource : taken) {
            touched.add(resource);
            ReservationId holder = holders.putIfAbsent(resource, reservation.id);
            if (holder == null) {
                takenAt.put(resource, stored);
            } else if (!holder.equals(reservation.id)) {
                complain(
                        "%s took up %s while %s had it"
                                .formatted(reservation.id, resource, holder));
            }
        }
    }

    private void letGo(Reservation reservation, List<ResourceId> left, Instant stored) {
        for (ResourceId resource : left) {
            if (holders.remove(resource, reservation.id)) {
                touched.add(resource);
                Instant since = Objects.requireNonNull(takenAt.remove(resource));
                used.merge(reservation.project, Duration.between(since, stored), Duration::plus);
            }
        }
    }

    private void release(ReservationReleased event, Instant decided, Instant stored) {
        Reservation reservation = reservation(event.reservationId());
        Lease lease = lease(event);
        if (!lease.ending) {
            // An operator gave the lease up: the calendar is told in the same breath.
            shorten(lease, decided);
        }
        letGo(reservation, heldBy(reservation.id), stored);
        reservation.resources.clear();
    }

    private void shorten(Lease lease, Instant at) {
        if (lease.ended) {
            complain("a lease ends that has ended: " + lease.reservations);
        }
        lease.ending = true;
        for (ReservationId id : lease.reservations) {
            Reservation reservation = reservation(id);
            claims.forEach(
                    (resource, claimed) -> {
                        Duration cleaning =
                                id.equals(holders.get(resource))
                                        ? reservation.cleaning
                                        : Duration.ZERO;
                        if (claimed.computeIfPresent(
                                        id, (_, window) -> window.until(at.plus(cleaning)))
                                != null) {
                            touched.add(resource);
                        }
                    });
        }
    }

    private void end(LeaseEnded event) {
        Lease lease = lease(event);
        if (lease.ended) {
            complain(event.leaseId() + " came to a second end");
        }
        lease.ended = true;
        for (ReservationId id : lease.reservations) {
            if (!heldBy(id).isEmpty()) {
                complain("%s ended, and %s holds %s".formatted(event.leaseId(), id, heldBy(id)));
            }
        }
    }

    private void delete(LeaseDeleted event) {
        Lease lease = lease(event);
        if (!lease.ended) {
            complain(event.leaseId() + " was deleted before its end");
        }
        if (lease.deleted) {
            complain(event.leaseId() + " was deleted twice");
        }
        lease.deleted = true;
    }

    /** To be asked between transactions: inside one, two reservations may swap resources. */
    void checkPromises() {
        for (ResourceId resource : touched) {
            List<Map.Entry<ReservationId, Window>> inOrder =
                    claims.getOrDefault(resource, Map.of()).entrySet().stream()
                            .filter(claim -> !claim.getValue().isEmpty())
                            .sorted(Comparator.comparing(claim -> claim.getValue().start()))
                            .toList();
            for (int next = 1; next < inOrder.size(); next++) {
                if (inOrder.get(next - 1).getValue().overlaps(inOrder.get(next).getValue())) {
                    complain(
                            "%s is promised twice: %s, %s"
                                    .formatted(resource, inOrder.get(next - 1), inOrder.get(next)));
                }
            }
        }
    }

    /** Forgets promises that are long over. */
    void forgetClaimsBefore(Instant instant) {
        claims.values()
                .forEach(
                        claimed ->
                                claimed.values()
                                        .removeIf(w -> w.isEmpty() || !w.end().isAfter(instant)));
    }

    List<ResourceId> heldBy(ReservationId reservation) {
        List<ResourceId> held = new ArrayList<>();
        holders.forEach(
                (resource, holder) -> {
                    if (holder.equals(reservation)) {
                        held.add(resource);
                    }
                });
        return held;
    }

    private void complain(String complaint) {
        complaints.accept(complaint);
    }

    private Resource resource(ResourceId id) {
        return Objects.requireNonNull(resources.get(id));
    }

    private Lease lease(LeaseEvent event) {
        return Objects.requireNonNull(leases.get(event.leaseId()));
    }

    private Reservation reservation(ReservationId id) {
        return Objects.requireNonNull(reservations.get(id));
    }

    static Demand demand(Map<String, @Nullable Object> parameters) {
        return switch (HOSTS.plan(parameters)) {
            case Planning.Plan.Planned planned -> planned.demand();
            case Planning.Plan.Invalid invalid ->
                    throw new IllegalStateException("a stored wish makes no sense: " + invalid);
        };
    }

    /** A resource as it is at this point of the history. */
    static final class Resource {

        final ResourceKind kind;
        final String name;
        final Map<String, String> properties = new TreeMap<>();
        boolean enabled = true;

        private Resource(ResourceEnrolled event) {
            kind = event.kind();
            name = event.name();
            properties.put("name", name);
            event.attributes()
                    .forEach(
                            (key, value) -> {
                                if (value != null) {
                                    properties.put(key, value.toString());
                                }
                            });
            properties.putAll(event.capabilities());
        }
    }

    /** A lease as it is at this point of the history. */
    static final class Lease {

        final ProjectId project;
        final List<ReservationId> reservations = new ArrayList<>();
        Window period;

        /** Somebody had not let go, or a plugin could not do its part. */
        boolean hindered;

        boolean started;
        boolean ending;
        boolean ended;
        boolean deleted;

        private Lease(ProjectId project, Window period) {
            this.project = project;
            this.period = period;
        }
    }

    /** A reservation as it is at this point of the history. */
    static final class Reservation {

        final ReservationId id;
        final ProjectId project;
        final Set<ResourceId> resources = new LinkedHashSet<>();
        Map<String, @Nullable Object> parameters;
        Duration cleaning = Duration.ZERO;

        private Reservation(ReservationWish wish, ProjectId project) {
            this.id = wish.id();
            this.project = project;
            this.parameters = wish.parameters();
        }

        Demand demand() {
            return Book.demand(parameters);
        }
    }

    /** Half-open; empty ones overlap nothing. */
    record Window(Instant start, Instant end) {

        /** Microseconds are what the database knows. */
        Window {
            start = start.truncatedTo(ChronoUnit.MICROS);
            end = end.truncatedTo(ChronoUnit.MICROS);
        }

        static Window of(LeasePeriod period) {
            return new Window(period.start(), period.end());
        }

        boolean isEmpty() {
            return !start.isBefore(end);
        }

        Window andThen(Duration cleaning) {
            return new Window(start, end.plus(cleaning));
        }

        Window from(Instant instant) {
            return instant.isAfter(start) ? new Window(instant, end) : this;
        }

        Window until(Instant instant) {
            return instant.isBefore(end) ? new Window(start, instant) : this;
        }

        boolean overlaps(Window other) {
            return !isEmpty()
                    && !other.isEmpty()
                    && start.isBefore(other.end)
                    && other.start.isBefore(end);
        }

        boolean contains(Window other) {
            return !other.start.isBefore(start) && !other.end.isAfter(end);
        }
    }
}
