package org.leasehold.gateway.api.capacity;

import org.leasehold.calendar.Demand;
import org.leasehold.readmodel.capacity.Availability;
import org.leasehold.readmodel.capacity.Availability.FindAvailability;
import org.leasehold.readmodel.capacity.Availability.Opening;
import org.leasehold.vocabulary.LeasePeriod;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** The windows in which all demands of a reservation can be met. */
record CommonOpeningSearch(Availability availability, List<Demand> demands) {

    /** The number of openings of each demand that are compared at a time. */
    private static final int OPENINGS_PER_SEARCH = 100;

    /** The most searches: a calendar with more gaps than that is as good as full. */
    private static final int MAX_SEARCHES = 20;

    /**
     * Returns the earliest openings, in order.
     *
     * @param question with the first of the demands
     */
    List<Opening> find(FindAvailability question) {
        if (demands.size() == 1) {
            return availability.find(question);
        }
        List<Opening> found = new ArrayList<>();
        Instant from = question.earliest();
        for (int look = 0; look < MAX_SEARCHES && !from.isAfter(question.horizon()); look++) {
            Instant earliest = from;
            List<List<Opening>> openings =
                    demands.stream().map(demand -> find(demand, question, earliest)).toList();
            if (openings.stream().anyMatch(List::isEmpty)) {
                break;
            }
            found.addAll(openings.stream().reduce(CommonOpeningSearch::intersect).orElseThrow());
            // Openings after the last one of a full list are unknown.
            Optional<Instant> known =
                    openings.stream()
                            .filter(each -> each.size() == OPENINGS_PER_SEARCH)
                            .map(each -> each.getLast().starts().end())
                            .min(Instant::compareTo);
            if (known.isEmpty() || found.size() >= question.limit()) {
                break;
            }
            // Before all of them have begun there is no common one.
            Instant begun =
                    openings.stream()
                            .map(each -> each.getFirst().starts().start())
                            .max(Instant::compareTo)
                            .orElseThrow();
            from = Collections.max(List.of(known.get(), begun));
        }
        return found.stream().limit(question.limit()).toList();
    }

    private List<Opening> find(Demand demand, FindAvailability question, Instant from) {
        return availability.find(
                new FindAvailability(
                        demand,
                        question.duration(),
                        from,
                        question.horizon(),
                        OPENINGS_PER_SEARCH));
    }

    /** Returns the starts that are in one opening of each list, in order. */
    private static List<Opening> intersect(List<Opening> openings, List<Opening> others) {
        return openings.stream()
                .flatMap(one -> others.stream().flatMap(other -> intersect(one, other).stream()))
                .toList();
    }

    private static Optional<Opening> intersect(Opening one, Opening other) {
        Instant first = Collections.max(List.of(one.starts().start(), other.starts().start()));
        Instant last = Collections.min(List.of(one.starts().end(), other.starts().end()));
        return first.isBefore(last)
                ? Optional.of(
                        new Opening(
                                new LeasePeriod(first, last), Math.min(one.free(), other.free())))
                : Optional.empty();
    }
}
