package org.leasehold.command.calendar.timeline;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.calendar.inventory.CachedResource;
import org.leasehold.command.calendar.inventory.FreeCapacityFilter;
import org.leasehold.command.calendar.timeline.FreeResourceTimeline.Claim;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.Share;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The free capacity of a resource beside the claims on it, which are few. */
public final class FreeCapacity {

    private static final long[] NO_POINTS = {};

    private final CachedResource resource;
    private final List<TimedClaim> claims;

    FreeCapacity(CachedResource resource, Collection<Claim> claims) {
        this.resource = resource;
        // No stream: a refusal creates one for every candidate, several times.
        List<TimedClaim> timed = claims.isEmpty() ? List.of() : new ArrayList<>(claims.size());
        for (Claim claim : claims) {
            timed.add(TimedClaim.of(claim));
        }
        this.claims = timed;
    }

    /**
     * A claim, with its time in microseconds.
     *
     * @param from its first microsecond of the epoch
     * @param to its end, exclusive
     * @param share the claimed share; null for the whole resource
     */
    private record TimedClaim(long from, long to, @Nullable Share share) {

        static TimedClaim of(Claim claim) {
            return new TimedClaim(
                    Micros.of(claim.during().start()),
                    Micros.of(claim.during().end()),
                    claim.share());
        }

        boolean overlaps(long start, long end) {
            return from < end && to > start;
        }

        long amount(String resourceClass) {
            return share == null
                    ? 0
                    : share.slots() * share.needs().getOrDefault(resourceClass, 0L);
        }
    }

    /** Returns the slots that fit throughout a window; 0 if less than required would be left. */
    public int freeSlots(Map<String, Long> needs, FreeCapacityFilter left, LeasePeriod window) {
        long from = Micros.of(window.start());
        List<TimedClaim> met = findShares(from, Micros.of(window.end()));
        return met == null ? 0 : slots(needs, left, met, from);
    }

    /**
     * Returns the slots that fit from one microsecond of the epoch to another, exclusive. A refusal
     * asks this of every candidate, many times.
     *
     * @param unclaimed the slots that fit without claims
     */
    int freeSlots(
            Map<String, Long> needs, FreeCapacityFilter left, long from, long to, int unclaimed) {
        List<TimedClaim> met = findShares(from, to);
        if (met == null) {
            return 0;
        }
        return met.isEmpty() ? unclaimed : slots(needs, left, met, from);
    }

    /** Returns the claimed shares of a time; null if the whole resource is claimed in it. */
    private @Nullable List<TimedClaim> findShares(long from, long to) {
        List<TimedClaim> met = List.of();
        for (TimedClaim claim : claims) {
            if (claim.overlaps(from, to)) {
                if (claim.share() == null) {
                    return null;
                }
                if (met.isEmpty()) {
                    met = new ArrayList<>(claims.size());
                }
                met.add(claim);
            }
        }
        return met;
    }

    /** Returns the slots that would fit if nothing was claimed. */
    int slotsWithoutClaims(Map<String, Long> needs, FreeCapacityFilter left) {
        return slots(needs, left, List.of(), 0);
    }

    private int slots(
            Map<String, Long> needs, FreeCapacityFilter left, List<TimedClaim> met, long from) {
        if (left.dependsOnWindow()
                && !left.meets(resource.properties(), taken -> peakUsage(taken, met, from))) {
            return 0;
        }
        long slots = Integer.MAX_VALUE;
        for (Map.Entry<String, Long> need : needs.entrySet()) {
            if (need.getValue() > 0) {
                long free = resource.capacity(need.getKey()) - peakUsage(need.getKey(), met, from);
                slots = Math.min(slots, Math.max(0, free / need.getValue()));
            }
        }
        return (int) slots;
    }

    /**
     * Returns the starts, in order and without repeats, at which the slots that fit for a length
     * may change: a claim ends, or the length reaches one.
     *
     * @param from excluded
     * @param end excluded
     */
    long[] changePoints(long from, long end, long length) {
        if (claims.isEmpty()) {
            return NO_POINTS;
        }
        long[] points = new long[2 * claims.size()];
        int size = 0;
        for (TimedClaim claim : claims) {
            size = addBetween(from, end, claim.to(), points, size);
            size = addBetween(from, end, claim.from() - length + 1, points, size);
        }
        Arrays.sort(points, 0, size);
        int distinct = 0;
        for (int next = 0; next < size; next++) {
            if (distinct == 0 || points[next] != points[distinct - 1]) {
                points[distinct++] = points[next];
            }
        }
        return Arrays.copyOf(points, distinct);
    }

    private static int addBetween(long from, long end, long at, long[] points, int size) {
        if (at <= from || at >= end) {
            return size;
        }
        points[size] = at;
        return size + 1;
    }

    /** Returns the largest amount that is claimed at any one instant, from an instant on. */
    private static long peakUsage(String resourceClass, List<TimedClaim> met, long from) {
        if (met.isEmpty()) {
            return 0;
        }
        if (met.size() == 1) {
            return met.getFirst().amount(resourceClass);
        }
        SortedMap<Long, Long> changes = new TreeMap<>();
        for (TimedClaim claim : met) {
            long taken = claim.amount(resourceClass);
            changes.merge(Math.max(claim.from(), from), taken, Long::sum);
            changes.merge(claim.to(), -taken, Long::sum);
        }
        long taken = 0;
        long peak = 0;
        for (long change : changes.values()) {
            taken += change;
            peak = Math.max(peak, taken);
        }
        return peak;
    }
}
