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
 * When how many whole resources are free, given what is claimed of them. Pure arithmetic on
 * half-open intervals, whose bounds are whole microseconds as in the database.
 */
final class FreeTime {

    private final List<Slots> resources;

    private FreeTime(List<Slots> resources) {
        this.resources = resources;
    }

    /** Claims on other resources than these are ignored. */
    static FreeTime of(Collection<ResourceId> resources, Collection<Claim> claims) {
        return of(resources, slots(claims));
    }

    /** The claimed times of each resource, for several questions about the same claims. */
    static Map<ResourceId, Slots> slots(Collection<Claim> claims) {
        Map<ResourceId, Slots> slots = new HashMap<>();
        claims.stream()
                .collect(
                        Collectors.groupingBy(
                                Claim::resource,
                                Collectors.mapping(Claim::during, Collectors.toList())))
                .forEach((resource, claimed) -> slots.put(resource, Slots.of(claimed)));
        return slots;
    }

    static FreeTime of(Collection<ResourceId> resources, Map<ResourceId, Slots> slots) {
        return new FreeTime(
                resources.stream()
                        .map(resource -> slots.getOrDefault(resource, Slots.NONE))
                        .toList());
    }

    static FreeTime of(Collection<ResourceId> resources, ClaimIndex index) {
        return new FreeTime(resources.stream().map(index::slots).toList());
    }

    /** The same resources, free only while all of those are. */
    FreeTime whileFree(FreeTime those) {
        Slots claimed = those.resources.stream().reduce(Slots.NONE, Slots::and);
        return claimed.size() == 0
                ? this
                : new FreeTime(resources.stream().map(slots -> slots.and(claimed)).toList());
    }

    /** How many resources are free throughout the window. */
    int throughout(LeasePeriod window) {
        return (int) resources.stream().filter(slots -> slots.isFree(window)).count();
    }

    /** The first of those parts of the window in which the fewest resources are free. */
    Part scarcest(LeasePeriod window) {
        long start = Micros.of(window.start());
        long end = Micros.of(window.end());
        TreeMap<Long, Integer> changes = new TreeMap<>();
        changes.put(start, 0);
        for (Slots slots : resources) {
            for (int slot = slots.firstEndingAfter(start);
                    slot < slots.size() && slots.start(slot) < end;
                    slot++) {
                changes.merge(Math.max(slots.start(slot), start), -1, Integer::sum);
                if (slots.end(slot) < end) {
                    changes.merge(slots.end(slot), 1, Integer::sum);
                }
            }
        }
        return scarcest(changes, end);
    }

    private Part scarcest(SortedMap<Long, Integer> changes, long end) {
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
     * The starts from {@code earliest} to {@code last}, both included, at which at least {@code
     * wanted} resources are free for the whole length.
     */
    List<Opening> openings(int wanted, Duration length, Instant earliest, Instant last, int limit) {
        return new OpeningSearch(
                        resources, Micros.of(length), Micros.of(earliest), Micros.of(last) + 1)
                .find(wanted, limit);
    }

    /**
     * A claim's resource and window, cleaning included.
     *
     * @param share what of the resource is claimed; null for the whole
     */
    record Claim(ResourceId resource, LeasePeriod during, @Nullable Share share) {

        /** The whole of a resource. */
        Claim(ResourceId resource, LeasePeriod during) {
            this(resource, during, null);
        }
    }

    /** A part of a window, and how many resources are free throughout it. */
    record Part(LeasePeriod period, int free) {}
}
