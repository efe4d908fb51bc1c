package org.leasehold.saga.retry;

import org.leasehold.history.RecordedEvent;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.LeaseEnded;
import org.leasehold.lease.LeaseEvent.LeaseEnding;
import org.leasehold.lease.LeaseEvent.LeaseRequested;
import org.leasehold.lease.LeaseEvent.ReservationAdded;
import org.leasehold.lease.LeaseEvent.ReservationChanged;
import org.leasehold.lease.LeaseEvent.ReservationGranted;
import org.leasehold.lease.LeaseEvent.ReservationRemoved;
import org.leasehold.lease.ReservationWish;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.Share;
import org.leasehold.vocabulary.Tenure;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The capacity that the calendar holds for a lease, as its events say. */
final class HeldCapacity {

    private final Map<ReservationId, ReservationWish> requests = new HashMap<>();
    private final Map<ReservationId, Held> held = new LinkedHashMap<>();

    /**
     * What a reservation holds.
     *
     * @param amounts the amounts of each resource: its slots, and by resource class
     * @param end the end of the claims, cleaning included
     * @param cleaning the time for which claims last after the use
     */
    private record Held(
            Map<ResourceId, Map<String, Long>> amounts,
            Instant start,
            Instant end,
            Duration cleaning) {

        /** The name of the number of slots among the amounts, which is no resource class. */
        private static final String SLOTS = "";

        Held(ReservationGranted granted) {
            this(
                    granted.allocations().stream()
                            .collect(
                                    Collectors.toMap(
                                            Allocation::resource, Held::amounts, Held::sum)),
                    granted.period().start(),
                    granted.period().end().plus(granted.cleaning()),
                    granted.cleaning());
        }

        private static Map<String, Long> amounts(Allocation allocation) {
            Map<String, Long> amounts = new HashMap<>();
            long slots = allocation.slots();
            amounts.put(SLOTS, slots);
            Share share = allocation.share();
            if (share != null) {
                share.needs().forEach((name, need) -> amounts.put(name, slots * need));
            }
            return amounts;
        }

        private static Map<String, Long> sum(Map<String, Long> one, Map<String, Long> other) {
            Map<String, Long> sum = new HashMap<>(one);
            other.forEach((name, amount) -> sum.merge(name, amount, Long::sum));
            return sum;
        }

        Held endingBy(Instant instant) {
            return end.isAfter(instant) ? new Held(amounts, start, instant, cleaning) : this;
        }

        boolean hasAll(Held other) {
            return other.amounts.entrySet().stream()
                    .allMatch(
                            each ->
                                    isCovered(
                                            each.getValue(),
                                            amounts.getOrDefault(each.getKey(), Map.of())));
        }

        private static boolean isCovered(Map<String, Long> needed, Map<String, Long> held) {
            return needed.entrySet().stream()
                    .allMatch(each -> held.getOrDefault(each.getKey(), 0L) >= each.getValue());
        }
    }

    static HeldCapacity of(List<RecordedEvent> life) {
        HeldCapacity capacity = new HeldCapacity();
        life.forEach(event -> capacity.apply((LeaseEvent) event.event(), event.decidedAt()));
        return capacity;
    }

    private void apply(LeaseEvent event, Instant at) {
        switch (event) {
            case LeaseRequested it -> it.reservations().forEach(this::addRequest);
            case ReservationAdded it -> addRequest(it.reservation());
            case ReservationChanged it ->
                    requests.computeIfPresent(
                            it.reservationId(), (_, wish) -> wish.with(it.parameters()));
            case ReservationGranted it -> held.put(it.reservationId(), new Held(it));
            case ReservationRemoved it ->
                    held.computeIfPresent(
                            it.reservationId(),
                            (_, each) ->
                                    each.endingBy(
                                            it.tenure() == null ? at : at.plus(each.cleaning)));
            case LeaseEnding it -> {
                Set<ReservationId> used =
                        it.tenures().stream().map(Tenure::reservation).collect(Collectors.toSet());
                held.replaceAll(
                        (id, each) ->
                                each.endingBy(used.contains(id) ? at.plus(each.cleaning) : at));
            }
            case LeaseEnded _ ->
                    held.replaceAll((_, each) -> each.endingBy(at.plus(each.cleaning)));
            // A replaced resource is out of service, and the others hold what they held.
            case LeaseEvent _ -> {}
        }
    }

    private void addRequest(ReservationWish wish) {
        requests.put(wish.id(), wish);
    }

    /**
     * Returns what is free after some events, and was held before. A reservation that has fewer
     * resources, or smaller parts of them, frees its whole window.
     *
     * @param kinds the kinds of resources that a request needs
     */
    Set<FreedCapacity> freedUntil(
            HeldCapacity after, Instant now, Function<ReservationWish, Set<ResourceKind>> kinds) {
        Set<FreedCapacity> freed = new LinkedHashSet<>();
        held.forEach(
                (id, was) -> {
                    ReservationWish wish = requests.get(id);
                    if (wish == null) {
                        return;
                    }
                    Set<ResourceKind> needed = kinds.apply(wish);
                    Held next = after.held.get(id);
                    if (next == null || !next.hasAll(was)) {
                        add(freed, needed, later(was.start, now), was.end, false);
                    } else {
                        Instant end = earlier(next.start, was.end);
                        add(freed, needed, later(was.start, now), end, false);
                        Instant start = later(next.end, was.start);
                        boolean heldBefore = next.end.isAfter(now) && start.equals(next.end);
                        add(freed, needed, later(start, now), was.end, heldBefore);
                    }
                });
        return freed;
    }

    private static void add(
            Set<FreedCapacity> freed,
            Set<ResourceKind> kinds,
            Instant start,
            Instant end,
            boolean heldBefore) {
        if (end.isAfter(start)) {
            LeasePeriod window = new LeasePeriod(start, end);
            kinds.forEach(kind -> freed.add(new FreedCapacity(kind, window, heldBefore)));
        }
    }

    private static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }

    private static Instant earlier(Instant one, Instant other) {
        return one.isBefore(other) ? one : other;
    }
}
