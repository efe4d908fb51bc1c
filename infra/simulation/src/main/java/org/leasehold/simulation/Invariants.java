package org.leasehold.simulation;

import org.axonframework.eventhandling.DomainEventMessage;
import org.jspecify.annotations.Nullable;
import org.leasehold.command.calendar.InMemoryTables.Claimed;
import org.leasehold.command.calendar.InMemoryTables.Held;
import org.leasehold.invariants.Book;
import org.leasehold.invariants.BookedLease;
import org.leasehold.invariants.BookedReservation;
import org.leasehold.invariants.BookedResource;
import org.leasehold.invariants.GrantSizes;
import org.leasehold.invariants.Had;
import org.leasehold.invariants.Justice;
import org.leasehold.invariants.Possessions.Possession;
import org.leasehold.invariants.Window;
import org.leasehold.inventory.ResourceEvent;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.EndCause;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.LeaseChangeRefused;
import org.leasehold.lease.LeaseEvent.LeaseEnded;
import org.leasehold.lease.LeaseEvent.LeaseEnding;
import org.leasehold.lease.LeaseEvent.LeaseRefused;
import org.leasehold.lease.LeaseEvent.LeaseStarting;
import org.leasehold.lease.LeaseId;
import org.leasehold.lease.LeasePeriod;
import org.leasehold.lease.ProjectId;
import org.leasehold.lease.ReservationId;
import org.leasehold.lease.ReservationWish;
import org.leasehold.query.Charge;
import org.leasehold.query.Charge.Time;
import org.leasehold.query.Charge.Use;
import org.leasehold.query.LeaseView;
import org.leasehold.query.account.Entry;
import org.leasehold.query.lease.InMemoryLeases;
import org.leasehold.resource.simulator.InMemoryCloud;
import org.leasehold.resource.simulator.SimulatedCloud.Effect;
import org.leasehold.resource.simulator.SimulatedCloud.Server;

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
    private static final Duration PUNCTUAL = Duration.ofMinutes(5);

    private final Engine engine;
    private final List<String> complaints = new ArrayList<>();
    private final Book book = new Book(complaints::add);
    private final GrantSizes sizes = new GrantSizes(book, complaints::add);
    private final Justice justice;
    private final Map<ProjectId, Duration> held = new LinkedHashMap<>();
    private final Set<ReservationId> givenUp = new LinkedHashSet<>();
    private final Map<ResourceId, Instant> misjudged = new TreeMap<>();
    private final Set<ReservationId> begun = new LinkedHashSet<>();
    private Map<ProjectId, Integer> holding = new LinkedHashMap<>();
    private Instant lastCommit = VirtualClock.BEGINNING;
    private Instant disturbedUntil = VirtualClock.BEGINNING;
    private long position;

    Invariants(Engine engine) {
        this.engine = engine;
        this.justice = new Justice(book, engine.scenario().cleaning());
    }

    /** Returns the first violation. */
    Optional<String> complaint() {
        return complaints.stream().findFirst();
    }

    void complain(String complaint) {
        complaints.add(complaint);
    }

    Book book() {
        return book;
    }

    /** Excuses lateness until an instant and a little longer. */
    void disturbed(Instant until) {
        if (until.isAfter(disturbedUntil)) {
            disturbedUntil = until;
        }
    }

    private boolean wasUndisturbedSince(Instant since) {
        return disturbedUntil.plus(PUNCTUAL).isBefore(since);
    }

    /** Checks the events committed since the last call. */
    void committed() {
        Instant now = engine.clock().instant();
        account(now);
        Set<LeaseId> changed = new LinkedHashSet<>();
        for (DomainEventMessage<?> message : engine.journal().after(position)) {
            position++;
            switch (message.getPayload()) {
                case LeaseEvent event -> {
                    before(event, message.getTimestamp(), now);
                    sizes.before(event);
                    book.apply(event, message.getTimestamp(), now);
                    changed.add(event.leaseId());
                }
                case ResourceEvent event -> {
                    sizes.check();
                    book.apply(event);
                }
                case Object other -> complain("nobody knows " + other);
            }
        }
        sizes.check();
        book.checkPromises().forEach(this::compare);
        changed.forEach(this::compare);
        changed.forEach(lease -> compareAccount(lease, now));
        outages(now);
    }

    /** Checks that a lease learns soon of an outage of its resource, and soon of its end. */
    private void outages(Instant now) {
        Set<ResourceId> present = book.misjudged();
        misjudged.keySet().retainAll(present);
        for (ResourceId resource : present) {
            Instant since = misjudged.computeIfAbsent(resource, _ -> now);
            if (now.isAfter(since.plus(PUNCTUAL)) && wasUndisturbedSince(since)) {
                complain("who has %s has not heard of it since %s".formatted(resource, since));
            }
        }
    }

    private void before(LeaseEvent event, Instant decided, Instant now) {
        switch (event) {
            case LeaseRefused refused ->
                    judge(refused.period(), refused.reservations(), refused.asOf(), decided, event);
            case LeaseChangeRefused refused ->
                    judge(refused.period(), refused.reservations(), refused.asOf(), decided, event);
            case LeaseStarting _ -> punctual(event, now);
            case LeaseEnding ending
                    when ending.cause() == EndCause.WINDOW_OVER && !lease(event).isEnding() ->
                    notLate(event, window(event).end(), now);
            case LeaseEnded ended when ended.cause() == EndCause.MISSED -> missed(event);
            case LeaseEvent _ -> {}
        }
    }

    private void judge(
            LeasePeriod period,
            List<ReservationWish> wishes,
            long asOf,
            Instant decided,
            LeaseEvent refusal) {
        if (asOf != position - 1) {
            complain("%s was not the state of things at %s".formatted(refusal, position - 1));
        }
        if (!justice.justifies(period, wishes, decided)) {
            complain("refused without need: " + refusal);
        }
    }

    private Window window(LeaseEvent event) {
        return lease(event).period();
    }

    private BookedLease lease(LeaseEvent event) {
        return Objects.requireNonNull(book.leases().get(event.leaseId()));
    }

    private void punctual(LeaseEvent event, Instant now) {
        BookedLease lease = lease(event);
        if (!lease.wasHindered() && !lease.hasStarted()) {
            Instant asked =
                    engine.journal().stream(event.leaseId().toString()).getFirst().getTimestamp();
            Instant start = lease.period().start();
            notLate(event, start.isAfter(asked) ? start : asked, now);
        }
    }

    private void notLate(LeaseEvent event, Instant due, Instant now) {
        if (now.isAfter(due.plus(PUNCTUAL)) && wasUndisturbedSince(due)) {
            complain("%s was due at %s and came at %s".formatted(event, due, now));
        }
    }

    private void missed(LeaseEvent event) {
        BookedLease lease = lease(event);
        Duration length = Duration.between(lease.period().start(), lease.period().end());
        if (!lease.wasHindered()
                && length.compareTo(PUNCTUAL) > 0
                && wasUndisturbedSince(lease.period().start())) {
            complain("%s although nothing was in its way".formatted(event));
        }
    }

    /** Adds up the time of each project's resources, from the holders. */
    private void account(Instant now) {
        Duration since = Duration.between(lastCommit, now);
        holding.forEach(
                (project, count) -> held.merge(project, since.multipliedBy(count), Duration::plus));
        lastCommit = now;
        Map<ProjectId, Integer> present = new LinkedHashMap<>();
        for (Held holder :
                engine.tables().holders().values().stream().flatMap(List::stream).toList()) {
            BookedLease lease = book.leases().get(holder.lease());
            if (lease == null) {
                complain(holder + " holds something without a lease");
            } else {
                present.merge(lease.project(), 1, Integer::sum);
            }
        }
        holding = present;
    }

    /** Compares the tables' rows of a resource with its events. */
    private void compare(ResourceId resource) {
        Map<ReservationId, Window> promised = new TreeMap<>(this::compare);
        book.promises()
                .of(resource)
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
            complain("%s is promised %s and claimed %s".formatted(resource, promised, claimed));
        }
        List<Held> hands = engine.tables().holders().getOrDefault(resource, List.of());
        ReservationId has = hands.isEmpty() ? null : hands.getFirst().reservation();
        ReservationId due = book.possessions().holder(resource);
        if (!Objects.equals(has, due)) {
            complain("%s is in the hands of %s, by the events of %s".formatted(resource, has, due));
        }
    }

    private int compare(ReservationId one, ReservationId other) {
        return one.value().compareTo(other.value());
    }

    /** Compares a view with the fold of the events. */
    private void compare(LeaseId lease) {
        LeaseView folded = InMemoryLeases.fold(engine.journal().stream(lease.toString()));
        LeaseView view = engine.leases().find(lease, null).orElse(null);
        if (!Objects.equals(folded, view)) {
            complain("the view is %s, the events make %s".formatted(view, folded));
        }
    }

    /** Compares the account of a lease with the promised, given and held time of its events. */
    private Map<ResourceId, Had> compareAccount(LeaseId id, Instant now) {
        BookedLease lease = book.leases().get(id);
        if (lease == null) {
            return Map.of();
        }
        Map<ResourceId, Had> due = book.ledger().of(lease, now);
        Map<ResourceId, Had> accounted = new TreeMap<>();
        engine.parts()
                .account(engine.journal().stream(id.toString()), now)
                .forEach(entry -> accounted.merge(entry.resource(), had(entry), Had::plus));
        if (!accounted.equals(due)) {
            complain("lease %s had %s and is accounted for %s".formatted(id, due, accounted));
        }
        compareCharges(id, due, now);
        return accounted;
    }

    /** Compares charges, at one a second: promised seconds cost, lost ones are credited. */
    private void compareCharges(LeaseId id, Map<ResourceId, Had> had, Instant now) {
        Map<ResourceId, Paid> due = new TreeMap<>();
        had.forEach(
                (resource, its) ->
                        due.put(resource, new Paid(its.active(), its.lost(), its.lost())));
        Map<ResourceId, Paid> charged = new TreeMap<>();
        for (Charge charge : engine.parts().charges(engine.journal().stream(id.toString()), now)) {
            Use use = Objects.requireNonNull(charge.use());
            charged.merge(use.resource(), Paid.of(charge, use), Paid::plus);
        }
        due.values().removeIf(Paid.NOTHING::equals);
        charged.values().removeIf(Paid.NOTHING::equals);
        if (!charged.equals(due)) {
            complain("lease %s had %s and is charged for %s".formatted(id, due, charged));
        }
    }

    /** The price of a resource, at one a second. */
    private record Paid(Duration active, Duration lost, Duration credited) {

        static final Paid NOTHING = new Paid(Duration.ZERO, Duration.ZERO, Duration.ZERO);
        private static final BigDecimal HOUR = BigDecimal.valueOf(3600);

        static Paid of(Charge charge, Use use) {
            Duration paid =
                    Duration.of(
                            charge.exactly().divide(HOUR, 0, RoundingMode.HALF_EVEN).longValue(),
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

    private static Had had(Entry entry) {
        Duration time = entry.time();
        return switch (entry.what()) {
            case ACTIVE -> new Had(time, Duration.ZERO, Duration.ZERO);
            case LOST -> new Had(Duration.ZERO, time, Duration.ZERO);
            case OVERRUN -> new Had(Duration.ZERO, Duration.ZERO, time);
        };
    }

    /**
     * Checks an effect: the cloud gives a host only to its holder, and nothing is prepared for a
     * reservation that has already begun.
     */
    void effect(Effect effect) {
        switch (effect.operation()) {
            case "create_aggregate" -> begun.add(Objects.requireNonNull(effect.reservation()));
            case InMemoryCloud.PREPARE -> {
                if (begun.contains(Objects.requireNonNull(effect.reservation()))) {
                    complain("prepared after its start: " + effect);
                }
            }
            case String _ -> {}
        }
        if (effect.operation().equals("add_host")
                && holders(effect.host()).stream()
                        .noneMatch(holder -> holder.equals(effect.reservation()))) {
            complain("given to whom it was not due: " + effect);
        }
    }

    /** Runs an action while an operator deletes the servers of these reservations by hand. */
    void whileGivenUp(List<ReservationId> reservations, Runnable byHand) {
        givenUp.addAll(reservations);
        try {
            byHand.run();
        } finally {
            reservations.forEach(givenUp::remove);
        }
    }

    /** Checks that a project's servers run only on the project's resources. */
    void servers() {
        for (Server server : engine.cloud().servers()) {
            if (givenUp.contains(server.reservation()) && holders(server.host()).isEmpty()) {
                continue;
            }
            BookedReservation reservation =
                    holders(server.host()).stream()
                            .filter(holder -> holder.equals(server.reservation()))
                            .findFirst()
                            .map(book::find)
                            .orElse(null);
            if (reservation == null || !reservation.project().equals(server.project())) {
                complain("runs where it must not: " + server);
            }
        }
    }

    /** Returns the reservations that have a host; a host may be enrolled twice. */
    private List<ReservationId> holders(@Nullable String host) {
        return book.possessions().present().stream()
                .filter(possession -> name(possession.resource()).equals(host))
                .map(Possession::reservation)
                .toList();
    }

    private String name(ResourceId resource) {
        BookedResource booked = Objects.requireNonNull(book.resources().get(resource));
        return booked.name();
    }

    /** Checks the final state, when no work is left. */
    void quiet() {
        book.leases()
                .forEach(
                        (id, lease) -> {
                            if (!lease.hasEnded()) {
                                complain("lease %s never came to its end".formatted(id));
                            }
                        });
        if (!engine.tables().holders().isEmpty()) {
            complain("still held: " + engine.tables().holders());
        }
        if (!engine.timers().all().isEmpty()) {
            complain("timers are left: " + engine.timers().all());
        }
        if (!engine.tasks().all().isEmpty()) {
            complain("tasks are left: " + engine.tasks().all());
        }
        if (!engine.cloud().reserved().isEmpty() || !engine.cloud().servers().isEmpty()) {
            complain("the cloud is not clean: " + engine.cloud().reserved());
        }
        Set<String> enrolled = new TreeSet<>();
        book.resources().values().forEach(resource -> enrolled.add(resource.name()));
        if (!enrolled.equals(new TreeSet<>(engine.cloud().freepool()))) {
            complain(
                    "enrolled are %s, in the pool are %s"
                            .formatted(enrolled, engine.cloud().freepool()));
        }
        accountsAddUp();
        held.values().removeIf(Duration::isZero);
        if (!held.equals(book.used())) {
            complain("held for %s, by the events for %s".formatted(held, book.used()));
        }
    }

    /** Checks the sums of all leases, by project and by resource. */
    private void accountsAddUp() {
        Instant now = engine.clock().instant();
        Map<ProjectId, Had> ofProjects = new LinkedHashMap<>();
        Map<ResourceId, Had> ofResources = new TreeMap<>();
        book.leases()
                .forEach(
                        (id, lease) ->
                                compareAccount(id, now)
                                        .forEach(
                                                (resource, had) -> {
                                                    ofProjects.merge(
                                                            lease.project(), had, Had::plus);
                                                    ofResources.merge(resource, had, Had::plus);
                                                }));
        if (!ofProjects.equals(book.ledger().byProject(book.leases().values(), now))) {
            complain("by project the accounts come to " + ofProjects);
        }
        if (!ofResources.equals(book.ledger().byResource(now))) {
            complain("by resource the accounts come to " + ofResources);
        }
    }
}
