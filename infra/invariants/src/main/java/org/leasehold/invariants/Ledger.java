package org.leasehold.invariants;

import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.ProjectId;
import org.leasehold.lease.ReservationId;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The use of each resource, computed from its promises and holders after each event. At every
 * instant, the last observation of all decisions by then counts.
 */
public final class Ledger {

    private final Promises promises;
    private final Possessions possessions;
    private final Map<ReservationId, Map<ResourceId, Seen>> seen = new LinkedHashMap<>();

    Ledger(Promises promises, Possessions possessions) {
        this.promises = promises;
        this.possessions = possessions;
    }

    /** Observes a reservation after an event that was decided at a time. */
    void look(BookedLease lease, BookedReservation reservation, Instant decided) {
        Map<ResourceId, Seen> places = seen.computeIfAbsent(reservation.id, _ -> new TreeMap<>());
        reservation.resources.forEach(
                resource -> places.computeIfAbsent(resource, _ -> new Seen()));
        places.forEach(
                (resource, its) -> {
                    Window promise = promises.of(resource).get(reservation.id);
                    its.promised.add(
                            decided,
                            promise == null
                                    ? Seen.NEVER
                                    // Without the cleaning time, which is not for the project.
                                    : promise.until(lease.period.end()).until(lease.over));
                    its.running.add(decided, reservation.running.contains(resource));
                    its.lacking.add(decided, reservation.lacking.contains(resource));
                    its.held.add(decided, reservation.id.equals(possessions.holder(resource)));
                });
    }

    /** Returns the use by a lease up to an instant. */
    public Map<ResourceId, Had> of(BookedLease lease, Instant until) {
        Map<ResourceId, Had> had = new TreeMap<>();
        for (ReservationId reservation : lease.reservations) {
            seen.getOrDefault(reservation, Map.of())
                    .forEach((resource, its) -> had.merge(resource, its.had(until), Had::plus));
        }
        had.values().removeIf(Had.NOTHING::equals);
        return had;
    }

    /** Returns the use by all leases of each project up to an instant. */
    public Map<ProjectId, Had> byProject(Collection<BookedLease> leases, Instant until) {
        Map<ProjectId, Had> had = new LinkedHashMap<>();
        for (BookedLease lease : leases) {
            of(lease, until).values().forEach(its -> had.merge(lease.project(), its, Had::plus));
        }
        return had;
    }

    /** Returns the use of each resource by all leases up to an instant. */
    public Map<ResourceId, Had> byResource(Instant until) {
        Map<ResourceId, Had> had = new TreeMap<>();
        seen.values()
                .forEach(
                        places ->
                                places.forEach(
                                        (resource, its) ->
                                                had.merge(resource, its.had(until), Had::plus)));
        had.values().removeIf(Had.NOTHING::equals);
        return had;
    }

    /** The observations of a reservation and a resource. */
    private record Seen(
            Sightings<Window> promised,
            Sightings<Boolean> running,
            Sightings<Boolean> lacking,
            Sightings<Boolean> held) {

        static final Window NEVER = new Window(Instant.EPOCH, Instant.EPOCH);

        Seen() {
            this(new Sightings<>(), new Sightings<>(), new Sightings<>(), new Sightings<>());
        }

        /** Sums up the use; nothing changes between two observed instants. */
        Had had(Instant until) {
            Instant now = until.truncatedTo(ChronoUnit.MICROS);
            List<Instant> instants =
                    Stream.of(
                                    promised.times(),
                                    promised.ever().flatMap(w -> Stream.of(w.start(), w.end())),
                                    running.times(),
                                    lacking.times(),
                                    held.times(),
                                    Stream.of(now))
                            .flatMap(each -> each)
                            .filter(instant -> !instant.isAfter(now))
                            .distinct()
                            .sorted()
                            .toList();
            Had sum = Had.NOTHING;
            for (int next = 1; next < instants.size(); next++) {
                Instant from = instants.get(next - 1);
                sum = sum.plus(had(from, Duration.between(from, instants.get(next))));
            }
            return sum;
        }

        private Had had(Instant at, Duration time) {
            if (promised.at(at, promised.first()).includes(at)) {
                return running.at(at, false) && !lacking.at(at, false)
                        ? new Had(time, Duration.ZERO, Duration.ZERO)
                        : new Had(Duration.ZERO, time, Duration.ZERO);
            }
            return held.at(at, false) ? new Had(Duration.ZERO, Duration.ZERO, time) : Had.NOTHING;
        }
    }
}
