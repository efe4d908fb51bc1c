package org.leasehold.invariants;

import org.leasehold.inventory.ResourceId;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;

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
public final class ExpectedUsage {

    private final PromisedWindows promises;
    private final Holdings holdings;
    private final Map<ReservationId, Map<ResourceId, Seen>> observations = new LinkedHashMap<>();

    ExpectedUsage(PromisedWindows promises, Holdings possessions) {
        this.promises = promises;
        this.holdings = possessions;
    }

    /** Observes a reservation after an event that was decided at a time. */
    void observe(ExpectedLeaseState lease, ExpectedReservationState reservation, Instant decided) {
        Map<ResourceId, Seen> seenByResource =
                observations.computeIfAbsent(reservation.id, _ -> new TreeMap<>());
        reservation.resources.forEach(
                resource -> seenByResource.computeIfAbsent(resource, _ -> new Seen()));
        seenByResource.forEach(
                (resource, observed) -> {
                    Window promise = promises.ofResource(resource).get(reservation.id);
                    observed.promised.add(
                            decided,
                            promise == null
                                    ? Seen.EMPTY_WINDOW
                                    // Without the cleaning time, which is not for the project.
                                    : promise.clipEnd(lease.period.end())
                                            .clipEnd(lease.endingSince)
                                            .clipEnd(reservation.removedAt));
                    observed.running.add(decided, reservation.running.contains(resource));
                    observed.lacking.add(decided, reservation.downResources.contains(resource));
                    observed.held.add(decided, reservation.id.equals(holdings.holder(resource)));
                });
    }

    /** Returns the use by a lease up to an instant. */
    public Map<ResourceId, UsageDurations> ofLease(ExpectedLeaseState lease, Instant until) {
        Map<ResourceId, UsageDurations> had = new TreeMap<>();
        for (ReservationId reservation : lease.reservations) {
            observations
                    .getOrDefault(reservation, Map.of())
                    .forEach(
                            (resource, observed) ->
                                    had.merge(
                                            resource,
                                            observed.computeUsage(until),
                                            UsageDurations::plus));
        }
        had.values().removeIf(UsageDurations.ZERO::equals);
        return had;
    }

    /** Returns the use by all leases of each project up to an instant. */
    public Map<ProjectId, UsageDurations> byProject(
            Collection<ExpectedLeaseState> leases, Instant until) {
        Map<ProjectId, UsageDurations> had = new LinkedHashMap<>();
        for (ExpectedLeaseState lease : leases) {
            ofLease(lease, until)
                    .values()
                    .forEach(
                            observed -> had.merge(lease.project(), observed, UsageDurations::plus));
        }
        return had;
    }

    /** Returns the use of each resource by all leases up to an instant. */
    public Map<ResourceId, UsageDurations> byResource(Instant until) {
        Map<ResourceId, UsageDurations> had = new TreeMap<>();
        observations
                .values()
                .forEach(
                        seenByResource ->
                                seenByResource.forEach(
                                        (resource, observed) ->
                                                had.merge(
                                                        resource,
                                                        observed.computeUsage(until),
                                                        UsageDurations::plus)));
        had.values().removeIf(UsageDurations.ZERO::equals);
        return had;
    }

    /** The observations of a reservation and a resource. */
    private record Seen(
            ObservedValues<Window> promised,
            ObservedValues<Boolean> running,
            ObservedValues<Boolean> lacking,
            ObservedValues<Boolean> held) {

        static final Window EMPTY_WINDOW = new Window(Instant.EPOCH, Instant.EPOCH);

        Seen() {
            this(
                    new ObservedValues<>(),
                    new ObservedValues<>(),
                    new ObservedValues<>(),
                    new ObservedValues<>());
        }

        /** Sums up the use; nothing changes between two observed instants. */
        UsageDurations computeUsage(Instant until) {
            Instant now = until.truncatedTo(ChronoUnit.MICROS);
            List<Instant> instants =
                    Stream.of(
                                    promised.times(),
                                    promised.values().flatMap(w -> Stream.of(w.start(), w.end())),
                                    running.times(),
                                    lacking.times(),
                                    held.times(),
                                    Stream.of(now))
                            .flatMap(each -> each)
                            .filter(instant -> !instant.isAfter(now))
                            .distinct()
                            .sorted()
                            .toList();
            UsageDurations sum = UsageDurations.ZERO;
            for (int next = 1; next < instants.size(); next++) {
                Instant from = instants.get(next - 1);
                sum = sum.plus(computeUsage(from, Duration.between(from, instants.get(next))));
            }
            return sum;
        }

        private UsageDurations computeUsage(Instant at, Duration time) {
            if (promised.valueAt(at, promised.firstValue()).includes(at)) {
                return running.valueAt(at, false) && !lacking.valueAt(at, false)
                        ? new UsageDurations(time, Duration.ZERO, Duration.ZERO)
                        : new UsageDurations(Duration.ZERO, time, Duration.ZERO);
            }
            return held.valueAt(at, false)
                    ? new UsageDurations(Duration.ZERO, Duration.ZERO, time)
                    : UsageDurations.ZERO;
        }
    }
}
