package org.leasehold.runtime;

import org.leasehold.invariants.ExpectedResourceState;
import org.leasehold.invariants.ExpectedState;
import org.leasehold.invariants.GrantSizeCheck;
import org.leasehold.invariants.Holdings.Possession;
import org.leasehold.invariants.RefusalCheck;
import org.leasehold.inventory.ResourceEvent;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.LeaseChangeRefused;
import org.leasehold.lease.LeaseEvent.LeaseRefused;
import org.leasehold.lease.LeaseEvent.LeaseRetryScheduled;
import org.leasehold.lease.ReservationWish;
import org.leasehold.resource.simulator.cloud.SimulatedCloud;
import org.leasehold.resource.simulator.cloud.SimulatedCloud.Effect;
import org.leasehold.runtime.EventReader.Event;
import org.leasehold.vocabulary.LeasePeriod;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Checks a calendar by the events and the simulated cloud alone. A refusal needs a reason: at its
 * position, the free resources did not suffice. So does a grant below the request: at its position,
 * no other resource was free.
 */
final class CalendarChecker {

    private final List<String> complaints = new ArrayList<>();
    private final ExpectedState book = new ExpectedState(this::complain);
    private final GrantSizeCheck sizes = new GrantSizeCheck(book, this::complain);
    private final RefusalCheck justice;
    private long position;
    private int refusals;

    private CalendarChecker(Duration cleaning) {
        this.justice = new RefusalCheck(book, cleaning);
    }

    static Report check(List<Event> events, Duration cleaning) {
        CalendarChecker checker = new CalendarChecker(cleaning);
        checker.replay(events);
        return new Report(checker.book, checker.complaints, checker.refusals);
    }

    private void complain(String complaint) {
        complaints.add("at " + position + ": " + complaint);
    }

    /** A refusal, and the position at which it claims to be true. */
    private record Refusal(
            Event event, LeasePeriod period, List<ReservationWish> wishes, long asOf) {

        static Stream<Refusal> of(Event event) {
            return switch (event.event()) {
                case LeaseRefused refused ->
                        Stream.of(
                                new Refusal(
                                        event,
                                        refused.period(),
                                        refused.reservations(),
                                        refused.asOf()));
                case LeaseRetryScheduled refused ->
                        Stream.of(
                                new Refusal(
                                        event,
                                        refused.period(),
                                        refused.reservations(),
                                        refused.asOf()));
                case LeaseChangeRefused refused ->
                        Stream.of(
                                new Refusal(
                                        event,
                                        refused.period(),
                                        refused.reservations(),
                                        refused.asOf()));
                case Object other -> Stream.empty();
            };
        }
    }

    private void replay(List<Event> events) {
        ArrayDeque<Refusal> refused =
                events.stream()
                        .flatMap(Refusal::of)
                        .sorted(Comparator.comparingLong(Refusal::asOf))
                        .collect(Collectors.toCollection(ArrayDeque::new));
        for (int i = 0; i < events.size(); i++) {
            Event event = events.get(i);
            boolean begins = i == 0 || !event.isTogetherWith(events.get(i - 1));
            if (begins) {
                sizes.check();
                book.checkPromises();
            }
            while (!refused.isEmpty() && refused.getFirst().asOf() < event.position()) {
                judge(refused.removeFirst(), begins);
            }
            position = event.position();
            apply(event);
        }
        sizes.check();
        book.checkPromises();
        refused.forEach(refusal -> judge(refusal, true));
    }

    private void apply(Event event) {
        switch (event.event()) {
            case LeaseEvent lease -> {
                sizes.recordEvent(lease);
                book.apply(lease, event.decidedAt(), event.recordedAt());
            }
            case ResourceEvent resource -> {
                sizes.check();
                book.apply(resource);
            }
            case Object other -> {
                // No effect on resources.
            }
        }
    }

    private void judge(Refusal refusal, boolean betweenTransactions) {
        refusals++;
        if (!betweenTransactions) {
            complain("it is in the middle of a transaction: " + refusal);
        }
        if (refusal.asOf() >= refusal.event().position()) {
            complain("names a position that is not before it: " + refusal);
        }
        if (!justice.isJustified(
                ((LeaseEvent) refusal.event().event()).leaseId(),
                refusal.period(),
                refusal.wishes(),
                refusal.event().decidedAt())) {
            complain("refused without need: " + refusal);
        }
    }

    /** The result of a check. */
    record Report(ExpectedState book, List<String> complaints, int refusals) {

        /** Compares with a cloud that has no pending work. */
        List<String> compare(SimulatedCloud cloud) {
            List<String> differences = new ArrayList<>();
            Map<String, Set<String>> expected = new TreeMap<>();
            book.holdings()
                    .present()
                    .forEach(
                            p ->
                                    expected.computeIfAbsent(
                                                    p.reservation().toString(),
                                                    _ -> new HashSet<>())
                                            .add(name(p.resource())));
            Map<String, Set<String>> found = new TreeMap<>();
            cloud.aggregates().stream()
                    .filter(aggregate -> !aggregate.name().equals("freepool"))
                    .forEach(a -> found.put(a.name(), new HashSet<>(a.hosts())));
            if (!expected.equals(found)) {
                differences.add("the cloud has " + found + ", the events " + expected);
            }
            cloud.effects().stream()
                    .filter(effect -> effect.operation().equals("add_host"))
                    .filter(effect -> !isEntitled(effect))
                    .forEach(effect -> differences.add("given to whom it was not due: " + effect));
            return differences;
        }

        private boolean isEntitled(Effect effect) {
            return book.holdings()
                    .all()
                    .filter(p -> name(p.resource()).equals(effect.host()))
                    .filter(p -> p.reservation().equals(effect.reservation()))
                    .anyMatch((Possession p) -> p.isAt(effect.at()));
        }

        private String name(ResourceId resource) {
            ExpectedResourceState known = book.resources().get(resource);
            return known == null ? "unknown " + resource : known.name();
        }
    }
}
