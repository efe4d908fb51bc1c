package org.leasehold.command.calendar.timeline;

import org.jspecify.annotations.Nullable;
import org.leasehold.calendar.ResourceCapacity;
import org.leasehold.command.calendar.inventory.CachedResource;
import org.leasehold.command.calendar.inventory.FreeCapacityFilter;
import org.leasehold.command.calendar.timeline.FreeResourceTimeline.Claim;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.Share;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The free capacity of a resource beside the claims on it, which are few. */
public record FreeCapacity(CachedResource resource, List<Claim> claims) {

    /** Returns the slots that fit throughout a window; 0 if less than required would be left. */
    public int freeSlots(Map<String, Long> needs, FreeCapacityFilter left, LeasePeriod window) {
        return freeSlots(needs, left, Micros.of(window.start()), Micros.of(window.end()));
    }

    /** Returns the slots that fit from one microsecond of the epoch to another, exclusive. */
    int freeSlots(Map<String, Long> needs, FreeCapacityFilter left, long from, long to) {
        // A refusal asks this of every candidate, many times; most have no claims.
        for (Claim claim : claims) {
            if (claim.share() == null && overlaps(claim, from, to)) {
                return 0;
            }
        }
        List<Claim> met =
                claims.isEmpty()
                        ? claims
                        : claims.stream().filter(claim -> overlaps(claim, from, to)).toList();
        Map<String, String> properties = resource.properties();
        if (left.dependsOnWindow()
                && !left.meets(properties, taken -> peakUsage(taken, met, from))) {
            return 0;
        }
        long slots = Integer.MAX_VALUE;
        for (Map.Entry<String, Long> need : needs.entrySet()) {
            if (need.getValue() > 0) {
                long free =
                        ResourceCapacity.of(properties, need.getKey())
                                - peakUsage(need.getKey(), met, from);
                slots = Math.min(slots, Math.max(0, free / need.getValue()));
            }
        }
        return (int) slots;
    }

    /** Returns whether others have slots in the window. */
    public boolean isShared(LeasePeriod window) {
        return claims.stream()
                .anyMatch(claim -> claim.share() != null && claim.during().overlaps(window));
    }

    /** Returns the largest amount that is claimed at any one instant, from an instant on. */
    private static long peakUsage(String resourceClass, List<Claim> met, long from) {
        if (met.isEmpty()) {
            return 0;
        }
        SortedMap<Long, Long> changes = new TreeMap<>();
        for (Claim claim : met) {
            long taken = claimedAmount(resourceClass, claim.share());
            long start = Micros.of(claim.during().start());
            changes.merge(Math.max(start, from), taken, Long::sum);
            changes.merge(Micros.of(claim.during().end()), -taken, Long::sum);
        }
        long taken = 0;
        long peak = 0;
        for (long change : changes.values()) {
            taken += change;
            peak = Math.max(peak, taken);
        }
        return peak;
    }

    private static long claimedAmount(String resourceClass, @Nullable Share share) {
        return share == null ? 0 : share.slots() * share.needs().getOrDefault(resourceClass, 0L);
    }

    private static boolean overlaps(Claim claim, long from, long to) {
        return Micros.of(claim.during().start()) < to && Micros.of(claim.during().end()) > from;
    }
}
