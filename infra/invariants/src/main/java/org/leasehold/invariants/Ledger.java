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
 * What was had of each resource, reckoned from looks at promises and possessions after each event:
 * at every instant it was as it was seen last of all that had been decided by then.
 */
public final class Ledger {

    private final Promises promises;
    private final Possessions possessions;
    private final Map<ReservationId, Map<ResourceId, Seen>> seen = new LinkedHashMap<>();

    Ledger(Promises promises, Possessions possessions) {
        this.promises = promises;
        this.possessions = possessions;
    }

    /** Looks at a reservation after an event that was decided at a time. */
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
                                    // Without the cleaning, which is not for its project.
                                    : promise.until(lease.period.end()).until(lease.over));
                    its.running.add(decided, reservation.running.contains(resource));
                    its.lacking.add(decided, reservation.lacking.contains(resource));
                    its.held.add(decided, reservation.id.equals(possessions.holder(resource)));
                });
    }

    /** What a lease has had by an instant. */
    public Map<ResourceId, Had> of(BookedLease lease, Instant until) {
        Map<ResourceId, Had> had = new TreeMap<>();
        for (ReservationId reservation : lease.reservations) {
            seen.getOrDefault(reservation, Map.of())
                    .forEach((resource, its) -> had.merge(resource, its.had(until), Had::plus));
        }
        had.values().removeIf(Had.NOTHING::equals);
        return had;
    }

    /** What all leases of each project have had by an instant. */
    public Map<ProjectId, Had> byProject(Collection<BookedLease> leases, Instant until) {
        Map<ProjectId, Had> had = new LinkedHashMap<>();
        for (BookedLease lease : leases) {
            of(lease, until).values().forEach(its -> had.merge(lease.project(), its, Had::plus));
        }
        return had;
    }

    /** What anybody has had of each resource by an instant. */
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

    /** What was seen of a reservation and a resource. */
    private record Seen(
            Sightings<Window> promised,
            Sightings<Boolean> running,
            Sightings<Boolean> lacking,
            Sightings<Boolean> held) {

        static final Window NEVER = new Window(Instant.EPOCH, Instant.EPOCH);

        Seen() {
            this(new Sightings<>(), new Sightings<>(), new Sightings<>(), new Sightings<>());
        }

        /** Between two instants at which anything is said to change nothing does. */
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
