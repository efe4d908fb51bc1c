package org.leasehold.query.capacity.projection;

import static org.leasehold.query.capacity.projection.RequestedFilters.FILTER;
import static org.leasehold.query.capacity.projection.RequestedFilters.WISHES;

import org.leasehold.history.RecordedEvent;
import org.leasehold.inventory.Requirement;
import org.leasehold.inventory.ResourceEvent;
import org.leasehold.lease.LeaseEvent.LeaseRefused;
import org.leasehold.lease.UseObserved;
import org.leasehold.query.booking.AllocationPeriod;
import org.leasehold.query.booking.LeaseBookings;
import org.leasehold.readmodel.capacity.Capacities.AskCapacity;
import org.leasehold.readmodel.capacity.Capacities.Series;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The capacity that follows from the events minute by minute, without the tables.
 *
 * @param history all events; each happens on the minute
 */
record ExpectedCapacity(List<RecordedEvent> history) {

    /** Returns what the tables answer as of a position. */
    List<Series> series(AskCapacity question, long last) {
        Map<String, List<RecordedEvent>> streams = new LinkedHashMap<>();
        for (RecordedEvent event : upTo(last)) {
            streams.computeIfAbsent(event.stream(), _ -> new ArrayList<>()).add(event);
        }
        List<PoolMember> members = new ArrayList<>();
        List<AllocationPeriod> stretches = new ArrayList<>();
        List<RecordedEvent> looks = new ArrayList<>();
        for (List<RecordedEvent> life : streams.values()) {
            switch (life.getFirst().event()) {
                case ResourceEvent _ -> members.addAll(PoolMember.of(life));
                case UseObserved _ -> looks.addAll(life);
                case LeaseRefused _ -> {}
                default -> stretches.addAll(LeaseBookings.of(life).periods());
            }
        }
        Map<String, List<PoolMember>> series = new TreeMap<>();
        if (question.by() == null) {
            series.put("", new ArrayList<>());
        }
        // A pool is known from its first member on, even one after the query's position.
        List<PoolMember> known = new ArrayList<>();
        for (List<RecordedEvent> life : lives(history)) {
            known.addAll(PoolMember.of(life));
        }
        for (PoolMember member : known) {
            if (isMeant(question, member)) {
                series.computeIfAbsent(value(question, member), _ -> new ArrayList<>());
            }
        }
        for (PoolMember member : members) {
            if (isMeant(question, member)) {
                series.get(value(question, member)).add(member);
            }
        }
        Map<String, List<LeaseRefused>> refusals = new TreeMap<>();
        for (RecordedEvent event : history) {
            if (event.event() instanceof LeaseRefused refused) {
                Set<String> values = refusedOf(question, refused, members);
                for (String value : values) {
                    series.computeIfAbsent(value, _ -> new ArrayList<>());
                    refusals.computeIfAbsent(value, _ -> new ArrayList<>());
                    if (event.position() <= last) {
                        refusals.get(value).add(refused);
                    }
                }
            }
        }
        List<Series> result = new ArrayList<>();
        series.forEach(
                (value, ofValue) ->
                        result.add(
                                new CapacityMinutes(
                                                question,
                                                ofValue,
                                                stretches,
                                                looks,
                                                refusals.getOrDefault(value, List.of()))
                                        .series(value.isEmpty() ? null : value)));
        // Those without a value come last.
        if (question.by() != null && !result.isEmpty() && result.getFirst().value() == null) {
            result.add(result.removeFirst());
        }
        return result;
    }

    private List<RecordedEvent> upTo(long last) {
        return history.stream().filter(event -> event.position() <= last).toList();
    }

    private static Iterable<List<RecordedEvent>> lives(List<RecordedEvent> history) {
        Map<String, List<RecordedEvent>> lives = new LinkedHashMap<>();
        for (RecordedEvent event : history) {
            if (event.event() instanceof ResourceEvent) {
                lives.computeIfAbsent(event.stream(), _ -> new ArrayList<>()).add(event);
            }
        }
        return lives.values();
    }

    private static boolean isMeant(AskCapacity question, PoolMember member) {
        Map<String, String> properties = member.pool().properties();
        return (question.zone() == null || question.zone().equals(member.pool().zone()))
                && properties != null
                && question.requirement().isMetBy(properties);
    }

    /** Returns the value of a refusal; an empty set if it is not requested. */
    private static Set<String> refusedOf(
            AskCapacity question, LeaseRefused refused, List<PoolMember> members) {
        Object filter = refused.reservations().getFirst().parameters().get(FILTER);
        List<PoolMember> suitable =
                members.stream()
                        .filter(each -> WISHES.get(filter).test(each.pool().properties()))
                        .toList();
        boolean isOfAll =
                question.zone() == null && question.requirement().equals(Requirement.none());
        if (!suitable.stream().allMatch(each -> isMeant(question, each))
                || (suitable.isEmpty() && !isOfAll)) {
            return Set.of();
        }
        List<String> values =
                suitable.stream().map(each -> value(question, each)).distinct().toList();
        return Set.of(values.size() == 1 ? values.getFirst() : "");
    }

    private static String value(AskCapacity question, PoolMember member) {
        Map<String, String> properties = member.pool().properties();
        String by = question.by();
        if (by == null || properties == null) {
            return "";
        }
        String value = by.equals("zone") ? member.pool().zone() : properties.get(by);
        return value == null ? "" : value;
    }
}
