package org.leasehold.command.calendar.timeline;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.calendar.inventory.CachedResource;
import org.leasehold.command.calendar.inventory.FreeCapacityFilter;
import org.leasehold.command.calendar.timeline.FreeResourceTimeline.Claim;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.Share;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.LongStream;

/** The free capacity of a resource beside the claims on it, which are few. */
public final class FreeCapacity {

    private final CachedResource resource;
    private final List<TimedClaim> claims;

    FreeCapacity(CachedResource resource, Collection<Claim> claims) {
        this.resource = resource;
        this.claims = claims.stream().map(TimedClaim::of).toList();
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
        return freeSlots(needs, left, Micros.of(window.start()), Micros.of(window.end()));
    }

    /** Returns the slots that fit from one microsecond of the epoch to another, exclusive. */
    int freeSlots(Map<String, Long> needs, FreeCapacityFilter left, long from, long to) {
        // A refusal asks this of every candidate, many times.
        List<TimedClaim> met = new ArrayList<>(claims.size());
        for (TimedClaim claim : claims) {
            if (claim.overlaps(from, to)) {
                if (claim.share() == null) {
                    return 0;
                }
                met.add(claim);
            }
        }
        return slots(needs, left, met, from);
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

    /** Returns whether others have slots in the window. */
    public boolean isShared(LeasePeriod window) {
        long from = Micros.of(window.start());
        long to = Micros.of(window.end());
        return claims.stream().anyMatch(claim -> claim.share() != null && claim.overlaps(from, to));
    }

    /**
     * Returns the starts, in order and without repeats, at which the slots that fit for a length
     * may change: a claim ends, or the length reaches one.
     *
     * @param from excluded
     * @param end excluded
     */
    long[] changePoints(long from, long end, long length) {
        return claims.stream()
                .flatMapToLong(claim -> LongStream.of(claim.to(), claim.from() - length + 1))
                .filter(at -> at > from && at < end)
                .sorted()
                .distinct()
                .toArray();
    }

    /** Returns the largest amount that is claimed at any one instant, from an instant on. */
    private static long peakUsage(String resourceClass, List<TimedClaim> met, long from) {
        if (met.isEmpty()) {
            return 0;
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
