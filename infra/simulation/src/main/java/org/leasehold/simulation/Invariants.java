package org.leasehold.simulation;

import org.axonframework.eventhandling.DomainEventMessage;
import org.jspecify.annotations.Nullable;
import org.leasehold.command.calendar.stored.InMemoryTables.Claimed;
import org.leasehold.command.calendar.stored.InMemoryTables.Held;
import org.leasehold.invariants.ExpectedLease;
import org.leasehold.invariants.ExpectedReservation;
import org.leasehold.invariants.ExpectedResource;
import org.leasehold.invariants.ExpectedState;
import org.leasehold.invariants.GrantSizeCheck;
import org.leasehold.invariants.Holdings.Possession;
import org.leasehold.invariants.UsageDurations;
import org.leasehold.invariants.Window;
import org.leasehold.inventory.ResourceEvent;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.EndCause;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.LeaseEnded;
import org.leasehold.lease.LeaseEvent.LeaseEnding;
import org.leasehold.lease.LeaseEvent.LeaseStarting;
import org.leasehold.query.account.AccountEntry;
import org.leasehold.query.lease.InMemoryLeases;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.readmodel.usage.Charge;
import org.leasehold.readmodel.usage.Charge.Time;
import org.leasehold.readmodel.usage.Charge.Use;
import org.leasehold.resource.simulator.SimulatedHost.Server;
import org.leasehold.resource.simulator.cloud.SimulatedCloud.Effect;
import org.leasehold.resource.simulator.host.InMemoryCloud;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The invariants of the engine. They are checked after each commit, and at the end. */
final class Invariants {

    /** The greatest lateness without a reason. */
    private static final Duration MAX_LATENESS = Duration.ofMinutes(5);

    private final DurableState engine;
    private final List<String> violations = new ArrayList<>();
    private final ExpectedState expectedState = new ExpectedState(violations::add);
    private final GrantSizeCheck grantSizeCheck =
            new GrantSizeCheck(expectedState, violations::add);
    private final RefusalInvariant refusals;
    private final Map<ProjectId, Duration> heldTimes = new LinkedHashMap<>();
    private final Set<ReservationId> abandonedReservations = new LinkedHashSet<>();
    private final Map<ResourceId, Instant> unreportedOutages = new TreeMap<>();
    private final Set<ReservationId> startedReservations = new LinkedHashSet<>();
    private Map<ProjectId, Integer> heldCounts = new LinkedHashMap<>();
    private Instant lastCommit = VirtualClock.BEGINNING;
    private Instant latenessExcusedUntil = VirtualClock.BEGINNING;
    private long position;

    Invariants(DurableState engine) {
        this.engine = engine;
        this.refusals = new RefusalInvariant(engine, expectedState);
    }

    /** Returns the first violation. */
    Optional<String> firstViolation() {
        return violations.stream().findFirst();
    }

    void reportViolation(String complaint) {
        violations.add(complaint);
    }

    ExpectedState expectedState() {
        return expectedState;
    }

    /** Excuses lateness until an instant and a little longer. */
    void excuseLatenessUntil(Instant until) {
        if (until.isAfter(latenessExcusedUntil)) {
            latenessExcusedUntil = until;
        }
    }

    private boolean wasUndisturbedSince(Instant since) {
        return latenessExcusedUntil.plus(MAX_LATENESS).isBefore(since);
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
                    checkBefore(event, now);
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
        changed.forEach(lease -> compareAccount(lease, now));
        checkOutages(now);
    }

    /** Checks that a lease gets notice of an outage of its resource, and of its end, in time. */
    private void checkOutages(Instant now) {
        Set<ResourceId> present = expectedState.findOutageMismatches();
        unreportedOutages.keySet().retainAll(present);
        for (ResourceId resource : present) {
            Instant since = unreportedOutages.computeIfAbsent(resource, _ -> now);
            if (now.isAfter(since.plus(MAX_LATENESS)) && wasUndisturbedSince(since)) {
                reportViolation(
                        "who has %s has not heard of it since %s".formatted(resource, since));
            }
        }
    }

    private void checkBefore(LeaseEvent event, Instant now) {
        switch (event) {
            case LeaseStarting _ -> checkStart(event, now);
            case LeaseEnding ending
                    when ending.cause() == EndCause.WINDOW_OVER && !lease(event).isEnding() ->
                    checkNotLate(event, window(event).end(), now);
            case LeaseEnded ended when ended.cause() == EndCause.MISSED -> checkMissed(event);
            case LeaseEvent _ -> {}
        }
    }

    private Window window(LeaseEvent event) {
        return lease(event).period();
    }

    private ExpectedLease lease(LeaseEvent event) {
        return Objects.requireNonNull(expectedState.leases().get(event.leaseId()));
    }

    private void checkStart(LeaseEvent event, Instant now) {
        ExpectedLease lease = lease(event);
        if (!lease.wasDelayedOrFailed() && !lease.hasStarted()) {
            Instant asked =
                    engine.eventLog().stream(event.leaseId().toString()).getFirst().getTimestamp();
            Instant start = lease.period().start();
            checkNotLate(event, start.isAfter(asked) ? start : asked, now);
        }
    }

    private void checkNotLate(LeaseEvent event, Instant due, Instant now) {
        if (now.isAfter(due.plus(MAX_LATENESS)) && wasUndisturbedSince(due)) {
            reportViolation("%s was due at %s and came at %s".formatted(event, due, now));
        }
    }

    private void checkMissed(LeaseEvent event) {
        ExpectedLease lease = lease(event);
        Duration length = Duration.between(lease.period().start(), lease.period().end());
        if (!lease.wasDelayedOrFailed()
                && length.compareTo(MAX_LATENESS) > 0
                && wasUndisturbedSince(lease.period().start())) {
            reportViolation("%s although nothing was in its way".formatted(event));
        }
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
            ExpectedLease lease = expectedState.leases().get(holder.lease());
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

    /** Compares the account of a lease with the promised, given and held time of its events. */
    private Map<ResourceId, UsageDurations> compareAccount(LeaseId id, Instant now) {
        ExpectedLease lease = expectedState.leases().get(id);
        if (lease == null) {
            return Map.of();
        }
        Map<ResourceId, UsageDurations> due = expectedState.usage().ofLease(lease, now);
        Map<ResourceId, UsageDurations> accounted = new TreeMap<>();
        engine.parts()
                .account(engine.eventLog().stream(id.toString()), now)
                .forEach(
                        entry ->
                                accounted.merge(
                                        entry.resource(), usageOf(entry), UsageDurations::plus));
        if (!accounted.equals(due)) {
            reportViolation(
                    "lease %s had %s and is accounted for %s".formatted(id, due, accounted));
        }
        compareCharges(id, due, now);
        return accounted;
    }

    /** Compares charges, at one a second: promised seconds cost, lost ones are credited. */
    private void compareCharges(LeaseId id, Map<ResourceId, UsageDurations> had, Instant now) {
        Map<ResourceId, Paid> due = new TreeMap<>();
        had.forEach(
                (resource, its) ->
                        due.put(resource, new Paid(its.active(), its.lost(), its.lost())));
        Map<ResourceId, Paid> charged = new TreeMap<>();
        for (Charge charge : engine.parts().charges(engine.eventLog().stream(id.toString()), now)) {
            Use use = Objects.requireNonNull(charge.use());
            charged.merge(use.resource(), Paid.of(charge, use), Paid::plus);
        }
        due.values().removeIf(Paid.NOTHING::equals);
        charged.values().removeIf(Paid.NOTHING::equals);
        if (!charged.equals(due)) {
            reportViolation("lease %s had %s and is charged for %s".formatted(id, due, charged));
        }
    }

    /** The price of a resource, at one a second. */
    private record Paid(Duration active, Duration lost, Duration credited) {

        static final Paid NOTHING = new Paid(Duration.ZERO, Duration.ZERO, Duration.ZERO);
        private static final BigDecimal HOUR = BigDecimal.valueOf(3600);

        static Paid of(Charge charge, Use use) {
            Duration paid =
                    Duration.of(
                            charge.unroundedAmount()
                                    .divide(HOUR, 0, RoundingMode.HALF_EVEN)
                                    .longValue(),
                            ChronoUnit.MICROS);
            return switch (charge.what()) {
                case CREDIT -> new Paid(Duration.ZERO, Duration.ZERO, paid.negated());
                case USAGE, PREMIUM, FEE, RESERVATION_FEE ->
                        use.time() == Time.ACTIVE
                                ? new Paid(paid, Duration.ZERO, Duration.ZERO)
                                : new Paid(Duration.ZERO, paid, Duration.ZERO);
            };
        }

        Paid plus(Paid other) {
            return new Paid(
                    active.plus(other.active),
                    lost.plus(other.lost),
                    credited.plus(other.credited));
        }
    }

    private static UsageDurations usageOf(AccountEntry entry) {
        Duration time = entry.time();
        return switch (entry.what()) {
            case ACTIVE -> new UsageDurations(time, Duration.ZERO, Duration.ZERO);
            case LOST -> new UsageDurations(Duration.ZERO, time, Duration.ZERO);
            case OVERRUN -> new UsageDurations(Duration.ZERO, Duration.ZERO, time);
        };
    }

    /**
     * Checks an effect: the cloud gives a host only to its holder, and nothing is prepared for a
     * reservation that has already begun.
     */
    void checkEffect(Effect effect) {
        switch (effect.operation()) {
            case "create_aggregate" ->
                    startedReservations.add(Objects.requireNonNull(effect.reservation()));
            case InMemoryCloud.PREPARE -> {
                if (startedReservations.contains(Objects.requireNonNull(effect.reservation()))) {
                    reportViolation("prepared after its start: " + effect);
                }
            }
            case String _ -> {}
        }
        if (effect.operation().equals("add_host")
                && holders(effect.host()).stream()
                        .noneMatch(holder -> holder.equals(effect.reservation()))) {
            reportViolation("given to whom it was not due: " + effect);
        }
    }

    /** Runs an action while an operator deletes the servers of these reservations by hand. */
    void runWithoutServerCheck(List<ReservationId> reservations, Runnable byHand) {
        abandonedReservations.addAll(reservations);
        try {
            byHand.run();
        } finally {
            reservations.forEach(abandonedReservations::remove);
        }
    }

    /** Checks that a project's servers run only on the project's resources. */
    void checkServers() {
        for (Server server : engine.cloud().servers()) {
            if (abandonedReservations.contains(server.reservation())
                    && holders(server.host()).isEmpty()) {
                continue;
            }
            ExpectedReservation reservation =
                    holders(server.host()).stream()
                            .filter(holder -> holder.equals(server.reservation()))
                            .findFirst()
                            .map(expectedState::find)
                            .orElse(null);
            if (reservation == null || !reservation.project().equals(server.project())) {
                reportViolation("runs where it must not: " + server);
            }
        }
    }

    /** Returns the reservations that have a host; a host may be enrolled twice. */
    private List<ReservationId> holders(@Nullable String host) {
        return expectedState.holdings().present().stream()
                .filter(possession -> name(possession.resource()).equals(host))
                .map(Possession::reservation)
                .toList();
    }

    private String name(ResourceId resource) {
        ExpectedResource booked = Objects.requireNonNull(expectedState.resources().get(resource));
        return booked.name();
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
        if (!engine.cloud().reserved().isEmpty() || !engine.cloud().servers().isEmpty()) {
            reportViolation("the cloud is not clean: " + engine.cloud().reserved());
        }
        Set<String> enrolled = new TreeSet<>();
        expectedState.resources().values().forEach(resource -> enrolled.add(resource.name()));
        if (!enrolled.equals(new TreeSet<>(engine.cloud().freepool()))) {
            reportViolation(
                    "enrolled are %s, in the pool are %s"
                            .formatted(enrolled, engine.cloud().freepool()));
        }
        checkAccountSums();
        heldTimes.values().removeIf(Duration::isZero);
        if (!heldTimes.equals(expectedState.usedTime())) {
            reportViolation(
                    "held for %s, by the events for %s"
                            .formatted(heldTimes, expectedState.usedTime()));
        }
    }

    /** Checks the sums of all leases, by project and by resource. */
    private void checkAccountSums() {
        Instant now = engine.clock().instant();
        Map<ProjectId, UsageDurations> ofProjects = new LinkedHashMap<>();
        Map<ResourceId, UsageDurations> ofResources = new TreeMap<>();
        expectedState
                .leases()
                .forEach(
                        (id, lease) ->
                                compareAccount(id, now)
                                        .forEach(
                                                (resource, had) -> {
                                                    ofProjects.merge(
                                                            lease.project(),
                                                            had,
                                                            UsageDurations::plus);
                                                    ofResources.merge(
                                                            resource, had, UsageDurations::plus);
                                                }));
        if (!ofProjects.equals(
                expectedState.usage().byProject(expectedState.leases().values(), now))) {
            reportViolation("by project the accounts come to " + ofProjects);
        }
        if (!ofResources.equals(expectedState.usage().byResource(now))) {
            reportViolation("by resource the accounts come to " + ofResources);
        }
    }
}
