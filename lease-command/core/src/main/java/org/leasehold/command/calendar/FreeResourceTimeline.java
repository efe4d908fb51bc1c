package org.leasehold.command.calendar;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.LeasePeriod;
import org.leasehold.lease.Share;
import org.leasehold.query.Availability.Opening;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The number of free whole resources over time, computed from their claims. Pure arithmetic on
 * half-open intervals, whose bounds are whole microseconds as in the database.
 */
final class FreeResourceTimeline {

    private final List<ClaimedTimes> resources;

    private FreeResourceTimeline(List<ClaimedTimes> resources) {
        this.resources = resources;
    }

    /** Creates the timeline of these resources; claims on others are ignored. */
    static FreeResourceTimeline of(Collection<ResourceId> resources, Collection<Claim> claims) {
        return of(resources, claimedTimesByResource(claims));
    }

    /** Returns the claimed times by resource, for several queries about the same claims. */
    static Map<ResourceId, ClaimedTimes> claimedTimesByResource(Collection<Claim> claims) {
        Map<ResourceId, ClaimedTimes> slots = new HashMap<>();
        claims.stream()
                .collect(
                        Collectors.groupingBy(
                                Claim::resource,
                                Collectors.mapping(Claim::during, Collectors.toList())))
                .forEach((resource, claimed) -> slots.put(resource, ClaimedTimes.of(claimed)));
        return slots;
    }

    static FreeResourceTimeline of(
            Collection<ResourceId> resources, Map<ResourceId, ClaimedTimes> slots) {
        return new FreeResourceTimeline(
                resources.stream()
                        .map(resource -> slots.getOrDefault(resource, ClaimedTimes.NONE))
                        .toList());
    }

    static FreeResourceTimeline of(Collection<ResourceId> resources, ClaimIndex index) {
        return new FreeResourceTimeline(resources.stream().map(index::slots).toList());
    }

    /** Returns the same resources, free only while all of the others are. */
    FreeResourceTimeline limitedTo(FreeResourceTimeline those) {
        ClaimedTimes claimed =
                those.resources.stream().reduce(ClaimedTimes.NONE, ClaimedTimes::union);
        return claimed.size() == 0
                ? this
                : new FreeResourceTimeline(
                        resources.stream().map(slots -> slots.union(claimed)).toList());
    }

    /** Returns the number of resources that are free throughout the window. */
    int countFreeThroughout(LeasePeriod window) {
        return (int) resources.stream().filter(slots -> slots.isFree(window)).count();
    }

    /** Returns the first of those parts of the window in which the fewest resources are free. */
    Part scarcestPart(LeasePeriod window) {
        long start = Micros.of(window.start());
        long end = Micros.of(window.end());
        TreeMap<Long, Integer> changes = new TreeMap<>();
        changes.put(start, 0);
        for (ClaimedTimes slots : resources) {
            for (int slot = slots.firstEndingAfter(start);
                    slot < slots.size() && slots.start(slot) < end;
                    slot++) {
                changes.merge(Math.max(slots.start(slot), start), -1, Integer::sum);
                if (slots.end(slot) < end) {
                    changes.merge(slots.end(slot), 1, Integer::sum);
                }
            }
        }
        return scarcestPart(changes, end);
    }

    private Part scarcestPart(SortedMap<Long, Integer> changes, long end) {
        int free = resources.size();
        int fewest = Integer.MAX_VALUE;
        long scarceFrom = changes.firstKey();
        long scarceTo = end;
        boolean open = false;
        for (Map.Entry<Long, Integer> change : changes.entrySet()) {
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
        return new Part(
                new LeasePeriod(Micros.instant(scarceFrom), Micros.instant(scarceTo)), fewest);
    }

    /**
     * Returns the starts from {@code earliest} to {@code last}, both included, at which at least
     * {@code wanted} resources are free for the whole length.
     */
    List<Opening> openings(int wanted, Duration length, Instant earliest, Instant last, int limit) {
        return new OpeningSearch(
                        resources, Micros.of(length), Micros.of(earliest), Micros.of(last) + 1)
                .find(wanted, limit);
    }

    /**
     * A claim's resource and window, cleaning included.
     *
     * @param share the claimed share of the resource; null for the whole
     */
    record Claim(ResourceId resource, LeasePeriod during, @Nullable Share share) {

        /** Creates a claim on a whole resource. */
        Claim(ResourceId resource, LeasePeriod during) {
            this(resource, during, null);
        }
    }

    /** A part of a window, and the number of resources that are free throughout it. */
    record Part(LeasePeriod period, int free) {}
}
