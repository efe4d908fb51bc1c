package org.leasehold.simulation;

import org.axonframework.eventhandling.DomainEventMessage;
import org.leasehold.command.calendar.stored.InMemoryTables.Claimed;
import org.leasehold.command.calendar.stored.InMemoryTables.Held;
import org.leasehold.invariants.ExpectedLeaseState;
import org.leasehold.invariants.ExpectedState;
import org.leasehold.invariants.GrantSizeCheck;
import org.leasehold.invariants.Window;
import org.leasehold.inventory.ResourceEvent;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.query.lease.InMemoryLeases;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.simulation.memory.VirtualClock;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** The invariants of the engine. They are checked after each commit, and at the end. */
final class Invariants {

    private final DurableState engine;
    private final List<String> violations = new ArrayList<>();
    private final ExpectedState expectedState = new ExpectedState(violations::add);
    private final GrantSizeCheck grantSizeCheck =
            new GrantSizeCheck(expectedState, violations::add);
    private final RefusalInvariant refusals;
    private final LatenessInvariant lateness;
    private final AccountInvariant accounts;
    private final CloudInvariant cloud;
    private final Map<ProjectId, Duration> heldTimes = new LinkedHashMap<>();
    private Map<ProjectId, Integer> heldCounts = new LinkedHashMap<>();
    private Instant lastCommit = VirtualClock.BEGINNING;
    private long position;

    Invariants(DurableState engine) {
        this.engine = engine;
        this.refusals = new RefusalInvariant(engine, expectedState);
        this.lateness = new LatenessInvariant(engine, expectedState, violations::add);
        this.accounts = new AccountInvariant(engine, expectedState, violations::add);
        this.cloud = new CloudInvariant(engine, expectedState, violations::add);
    }

    /** Returns the first violation. */
    Optional<String> firstViolation() {
        return violations.stream().findFirst();
    }

    void reportViolation(String complaint) {
        violations.add(complaint);
    }

    LatenessInvariant lateness() {
        return lateness;
    }

    CloudInvariant cloud() {
        return cloud;
    }

    ExpectedState expectedState() {
        return expectedState;
    }

    /** Checks the events committed since the last call. */
    void checkCommit() {
        Instant now = engine.clock().instant();
        addHeldTime(now);
        Set<LeaseId> changed = new LinkedHashSet<>();
        refusals.beginTransaction();
        for (DomainEventMessage<?> message : engine.eventLog().after(position)) {
            position++;
            switch (message.getPayload()) {
                case LeaseEvent event -> {
                    lateness.checkBefore(event, now);
                    refusals.check(event, message.getTimestamp()).ifPresent(this::reportViolation);
                    grantSizeCheck.recordEvent(event);
                    expectedState.apply(event, message.getTimestamp(), now);
                    changed.add(event.leaseId());
                }
                case ResourceEvent event -> {
                    grantSizeCheck.check();
                    expectedState.apply(event);
                }
                case Object other -> reportViolation("nobody knows " + other);
            }
            refusals.recordEvent(message.getPayload(), now);
        }
        grantSizeCheck.check();
        expectedState.checkPromises().forEach(this::compare);
        changed.forEach(this::compare);
        changed.forEach(lease -> accounts.compare(lease, now));
        lateness.checkOutages(now);
        cloud.checkPromises();
    }

    /** Adds up the time of each project's resources, from the holders. */
    private void addHeldTime(Instant now) {
        Duration since = Duration.between(lastCommit, now);
        heldCounts.forEach(
                (project, count) ->
                        heldTimes.merge(project, since.multipliedBy(count), Duration::plus));
        lastCommit = now;
        Map<ProjectId, Integer> present = new LinkedHashMap<>();
        for (Held holder :
                engine.tables().holders().values().stream().flatMap(List::stream).toList()) {
            ExpectedLeaseState lease = expectedState.leases().get(holder.lease());
            if (lease == null) {
                reportViolation(holder + " holds something without a lease");
            } else {
                present.merge(lease.project(), 1, Integer::sum);
            }
        }
        heldCounts = present;
    }

    /** Compares the tables' rows of a resource with its events. */
    private void compare(ResourceId resource) {
        Map<ReservationId, Window> promised = new TreeMap<>(this::compare);
        expectedState
                .promises()
                .ofResource(resource)
                .forEach(
                        (reservation, window) -> {
                            if (!window.isEmpty()) {
                                promised.put(reservation, window);
                            }
                        });
        Map<ReservationId, Window> claimed = new TreeMap<>(this::compare);
        for (Claimed claim : engine.tables().claims().getOrDefault(resource, List.of())) {
            claimed.put(claim.reservation(), Window.of(claim.during()));
        }
        if (!promised.equals(claimed)) {
            reportViolation(
                    "%s is promised %s and claimed %s".formatted(resource, promised, claimed));
        }
        List<Held> hands = engine.tables().holders().getOrDefault(resource, List.of());
        ReservationId has = hands.isEmpty() ? null : hands.getFirst().reservation();
        ReservationId due = expectedState.holdings().holder(resource);
        if (!Objects.equals(has, due)) {
            reportViolation(
                    "%s is in the hands of %s, by the events of %s".formatted(resource, has, due));
        }
    }

    private int compare(ReservationId one, ReservationId other) {
        return one.value().compareTo(other.value());
    }

    /** Compares a view with the fold of the events. */
    private void compare(LeaseId lease) {
        LeaseView folded = InMemoryLeases.fold(engine.eventLog().stream(lease.toString()));
        LeaseView view = engine.leases().find(lease, null).orElse(null);
        if (!Objects.equals(folded, view)) {
            reportViolation("the view is %s, the events make %s".formatted(view, folded));
        }
    }

    /** Checks the final state, when no work is left. */
    void checkFinalState() {
        expectedState
                .leases()
                .forEach(
                        (id, lease) -> {
                            if (!lease.hasEnded()) {
                                reportViolation("lease %s never came to its end".formatted(id));
                            }
                        });
        if (!engine.tables().holders().isEmpty()) {
            reportViolation("still held: " + engine.tables().holders());
        }
        if (!engine.timers().all().isEmpty()) {
            reportViolation("timers are left: " + engine.timers().all());
        }
        if (!engine.tasks().all().isEmpty()) {
            reportViolation("tasks are left: " + engine.tasks().all());
        }
        cloud.checkFinalState();
        accounts.checkSums();
        heldTimes.values().removeIf(Duration::isZero);
        if (!heldTimes.equals(expectedState.usedTime())) {
            reportViolation(
                    "held for %s, by the events for %s"
                            .formatted(heldTimes, expectedState.usedTime()));
        }
    }
}
