package org.leasehold.command.calendar;

import org.jspecify.annotations.Nullable;
import org.leasehold.calendar.Capacity;
import org.leasehold.command.calendar.FreeTime.Claim;
import org.leasehold.lease.LeasePeriod;
import org.leasehold.lease.Share;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** What a resource has room for beside the claims on it, which are few. */
record Room(KnownResource resource, List<Claim> claims) {

    /** How many slots fit throughout a window; none if less than is asked for would be left. */
    int slots(Map<String, Long> needs, Left left, LeasePeriod window) {
        return slots(needs, left, Micros.of(window.start()), Micros.of(window.end()));
    }

    /** How many slots fit from one microsecond of the epoch up to, not including, another. */
    int slots(Map<String, Long> needs, Left left, long from, long to) {
        List<Claim> met = claims.stream().filter(claim -> overlaps(claim, from, to)).toList();
        if (met.stream().anyMatch(claim -> claim.share() == null)) {
            return 0;
        }
        Map<String, String> properties = resource.properties();
        if (left.matters() && !left.meets(properties, taken -> peak(taken, met, from))) {
            return 0;
        }
        long slots = Integer.MAX_VALUE;
        for (Map.Entry<String, Long> need : needs.entrySet()) {
            if (need.getValue() > 0) {
                long free = Capacity.of(properties, need.getKey()) - peak(need.getKey(), met, from);
                slots = Math.min(slots, Math.max(0, free / need.getValue()));
            }
        }
        return (int) slots;
    }

    /** Whether others have slots in the window. */
    boolean isShared(LeasePeriod window) {
        return claims.stream()
                .anyMatch(claim -> claim.share() != null && claim.during().overlaps(window));
    }

    /** The most that is taken at any one instant from one on. */
    private static long peak(String resourceClass, List<Claim> met, long from) {
        SortedMap<Long, Long> changes = new TreeMap<>();
        for (Claim claim : met) {
            long taken = taken(resourceClass, claim.share());
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

    private static long taken(String resourceClass, @Nullable Share share) {
        return share == null ? 0 : share.slots() * share.needs().getOrDefault(resourceClass, 0L);
    }

    private static boolean overlaps(Claim claim, long from, long to) {
        return Micros.of(claim.during().start()) < to && Micros.of(claim.during().end()) > from;
    }
}
