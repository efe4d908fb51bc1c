package org.leasehold.command.calendar;

import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.LeasePeriod;
import org.leasehold.query.Availability.Opening;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * When how many resources are free, given what is claimed of them. Pure arithmetic on half-open
 * intervals, whose bounds are whole microseconds as in the database.
 */
final class FreeTime {

    /** Per resource, in order and with gaps between them. */
    private final Map<ResourceId, List<LeasePeriod>> claimed = new LinkedHashMap<>();

    /** Claims on other resources than these are ignored. */
    FreeTime(Collection<ResourceId> resources, Collection<Claim> claims) {
        resources.forEach(resource -> claimed.put(resource, new ArrayList<>()));
        claims.stream()
                .sorted(Comparator.comparing(claim -> claim.during().start()))
                .forEach(
                        claim -> {
                            if (claimed.containsKey(claim.resource())) {
                                append(claimed.get(claim.resource()), claim.during());
                            }
                        });
    }

    /** How many resources are free throughout the window. */
    int throughout(LeasePeriod window) {
        return (int) claimed.values().stream().filter(busy -> isFree(busy, window)).count();
    }

    /** The first of those parts of the window in which the fewest resources are free. */
    Part scarcest(LeasePeriod window) {
        TreeMap<Instant, Integer> changes = new TreeMap<>();
        changes.put(window.start(), 0);
        for (List<LeasePeriod> busy : claimed.values()) {
            for (LeasePeriod claim : busy) {
                if (claim.overlaps(window)) {
                    changes.merge(later(claim.start(), window.start()), -1, Integer::sum);
                    if (claim.end().isBefore(window.end())) {
                        changes.merge(claim.end(), 1, Integer::sum);
                    }
                }
            }
        }
        return scarcest(changes, window.end());
    }

    private Part scarcest(SortedMap<Instant, Integer> changes, Instant end) {
        int free = claimed.size();
        int fewest = Integer.MAX_VALUE;
        Instant scarceFrom = changes.firstKey();
        Instant scarceTo = end;
        boolean open = false;
        for (Map.Entry<Instant, Integer> change : changes.entrySet()) {
            if (open) {
                scarceTo = change.getKey();
                open = false;
            }
            free += change.getValue();
            if (free < fewest) {
                fewest = free;
                scarceFrom = change.getKey();
                scarceTo = end;
                open = true;
            }
        }
        return new Part(new LeasePeriod(scarceFrom, scarceTo), fewest);
    }

    /**
     * The starts from {@code earliest} to {@code last}, both included, at which at least {@code
     * wanted} resources are free for the whole length.
     */
    List<Opening> openings(int wanted, Duration length, Instant earliest, Instant last, int limit) {
        TreeMap<Instant, Integer> changes = new TreeMap<>();
        Instant end = last.plus(1, ChronoUnit.MICROS);
        changes.put(earliest, 0);
        changes.put(end, 0);
        LeasePeriod starts = new LeasePeriod(earliest, end);
        for (List<LeasePeriod> busy : claimed.values()) {
            for (LeasePeriod blocked : blockedStarts(busy, length)) {
                if (blocked.overlaps(starts)) {
                    changes.merge(later(blocked.start(), earliest), -1, Integer::sum);
                    if (blocked.end().isBefore(end)) {
                        changes.merge(blocked.end(), 1, Integer::sum);
                    }
                }
            }
        }
        return openings(changes, wanted, end, limit);
    }

    private List<Opening> openings(
            SortedMap<Instant, Integer> changes, int wanted, Instant end, int limit) {
        List<Opening> openings = new ArrayList<>();
        int free = claimed.size();
        boolean feasible = false;
        Instant from = end;
        int freeAtFrom = 0;
        for (Map.Entry<Instant, Integer> change : changes.entrySet()) {
            free += change.getValue();
            boolean atEnd = change.getKey().equals(end);
            if (feasible && (free < wanted || atEnd)) {
                openings.add(new Opening(new LeasePeriod(from, change.getKey()), freeAtFrom));
                feasible = false;
            } else if (!feasible && free >= wanted && !atEnd) {
                feasible = true;
                from = change.getKey();
                freeAtFrom = free;
            }
            if (openings.size() == limit) {
                break;
            }
        }
        return openings;
    }

    /** A start is blocked by a claim if the claim begins before the length is over. */
    private static List<LeasePeriod> blockedStarts(List<LeasePeriod> busy, Duration length) {
        List<LeasePeriod> blocked = new ArrayList<>();
        for (LeasePeriod claim : busy) {
            Instant first = claim.start().minus(length).plus(1, ChronoUnit.MICROS);
            append(blocked, new LeasePeriod(first, claim.end()));
        }
        return blocked;
    }

    private static boolean isFree(List<LeasePeriod> busy, LeasePeriod window) {
        return busy.stream().noneMatch(window::overlaps);
    }

    /** Appends a period that starts no earlier than the last; periods that touch become one. */
    private static void append(List<LeasePeriod> periods, LeasePeriod next) {
        if (periods.isEmpty() || periods.getLast().end().isBefore(next.start())) {
            periods.add(next);
        } else {
            LeasePeriod last = periods.removeLast();
            periods.add(new LeasePeriod(last.start(), later(last.end(), next.end())));
        }
    }

    private static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }

    /** A claim's resource and window, cleaning included. */
    record Claim(ResourceId resource, LeasePeriod during) {}

    /** A part of a window, and how many resources are free throughout it. */
    record Part(LeasePeriod period, int free) {}
}
