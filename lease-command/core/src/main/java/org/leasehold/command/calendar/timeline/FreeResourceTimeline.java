package org.leasehold.command.calendar.timeline;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceId;
import org.leasehold.readmodel.capacity.Availability.Opening;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.Share;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The number of free whole resources over time, computed from their claims. Pure arithmetic on
 * half-open intervals, whose bounds are whole microseconds as in the database.
 */
public final class FreeResourceTimeline {

    private final List<ClaimedTimes> resources;

    private FreeResourceTimeline(List<ClaimedTimes> resources) {
        this.resources = resources;
    }

    /** Creates the timeline of these resources; claims on others are ignored. */
    public static FreeResourceTimeline of(
            Collection<ResourceId> resources, Collection<Claim> claims) {
        return of(resources, claimedTimesByResource(claims));
    }

    /** Returns the claimed times by resource, for several queries about the same claims. */
    public static Map<ResourceId, ClaimedTimes> claimedTimesByResource(Collection<Claim> claims) {
        Map<ResourceId, ClaimedTimes> slots = new HashMap<>();
        claims.stream()
                .collect(
                        Collectors.groupingBy(
                                Claim::resource,
                                Collectors.mapping(Claim::during, Collectors.toList())))
                .forEach((resource, claimed) -> slots.put(resource, ClaimedTimes.of(claimed)));
        return slots;
    }

    public static FreeResourceTimeline of(
            Collection<ResourceId> resources, Map<ResourceId, ClaimedTimes> slots) {
        return new FreeResourceTimeline(
                resources.stream()
                        .map(resource -> slots.getOrDefault(resource, ClaimedTimes.NONE))
                        .toList());
    }

    public static FreeResourceTimeline of(
            Collection<ResourceId> resources, Function<ResourceId, ClaimedTimes> slots) {
        return new FreeResourceTimeline(resources.stream().map(slots).toList());
    }

    /** Returns the same resources, free only while all of the others are. */
    public FreeResourceTimeline limitedTo(FreeResourceTimeline those) {
        ClaimedTimes claimed =
                those.resources.stream().reduce(ClaimedTimes.NONE, ClaimedTimes::union);
        return claimed.size() == 0
                ? this
                : new FreeResourceTimeline(
                        resources.stream().map(slots -> slots.union(claimed)).toList());
    }

    /** Returns the first of those parts of the window in which the fewest resources are free. */
    public Part scarcestPart(LeasePeriod window) {
        return countFree(window, Integer.MAX_VALUE).scarcest();
    }

    /**
     * Returns how many resources are free in a window, by one pass over their claims.
     *
     * @param maxClaims the number of claims in the window beyond which all of it is its scarcest
     *     part, with the resources that are free throughout it
     */
    public FreeCounts countFree(LeasePeriod window, int maxClaims) {
        long start = Micros.of(window.start());
        long end = Micros.of(window.end());
        Changes changes = new Changes();
        int freeAtStart = resources.size();
        int freeThroughout = resources.size();
        int claims = 0;
        for (ClaimedTimes slots : resources) {
            int slot = slots.firstEndingAfter(start);
            if (slot < slots.size() && slots.start(slot) < end) {
                freeThroughout--;
            }
            for (; claims <= maxClaims && slot < slots.size() && slots.start(slot) < end; slot++) {
                claims++;
                if (slots.start(slot) <= start) {
                    freeAtStart--;
                } else {
                    changes.addClaimed(slots.start(slot));
                }
                if (slots.end(slot) < end) {
                    changes.addReleased(slots.end(slot));
                }
            }
        }
        return new FreeCounts(
                freeThroughout,
                claims > maxClaims
                        ? new Part(window, freeThroughout)
                        : changes.scarcestPart(start, end, freeAtStart),
                claims);
    }

    /** The instants in a window at which a resource is claimed or released. */
    private static final class Changes {

        /** The instants, each with its kind in the lowest bit: 1 if a resource is claimed. */
        private long[] changes = new long[64];

        private int size;

        void addClaimed(long instant) {
            add(instant << 1 | 1);
        }

        void addReleased(long instant) {
            add(instant << 1);
        }

        private void add(long change) {
            if (size == changes.length) {
                changes = Arrays.copyOf(changes, 2 * size);
            }
            changes[size++] = change;
        }

        /** Returns the first part with the fewest free resources; {@code free} are at the start. */
        Part scarcestPart(long start, long end, int free) {
            Arrays.sort(changes, 0, size);
            int now = free;
            int fewest = free;
            long scarceFrom = start;
            long scarceTo = end;
            boolean open = true;
            for (int next = 0; next < size; ) {
                long instant = changes[next] >> 1;
                for (; next < size && changes[next] >> 1 == instant; next++) {
                    now += (changes[next] & 1) == 1 ? -1 : 1;
                }
                if (open) {
                    scarceTo = instant;
                    open = false;
                }
                if (now < fewest) {
                    fewest = now;
                    scarceFrom = instant;
                    scarceTo = end;
                    open = true;
                }
            }
            return new Part(
                    new LeasePeriod(Micros.instant(scarceFrom), Micros.instant(scarceTo)), fewest);
        }
    }

    /**
     * Returns the starts from {@code earliest} to {@code last}, both included, at which at least
     * {@code wanted} resources are free for the whole length.
     */
    public List<Opening> openings(
            int wanted, Duration length, Instant earliest, Instant last, int limit) {
        return new OpeningSearch(
                        resources, Micros.of(length), Micros.of(earliest), Micros.of(last) + 1)
                .find(wanted, limit);
    }

    /**
     * A claim's resource and window, cleaning included.
     *
     * @param share the claimed share of the resource; null for the whole
     */
    public record Claim(ResourceId resource, LeasePeriod during, @Nullable Share share) {

        /** Creates a claim on a whole resource. */
        public Claim(ResourceId resource, LeasePeriod during) {
            this(resource, during, null);
        }
    }

    /**
     * The free resources of a window.
     *
     * @param scarcest the first part of the window in which the fewest are free
     * @param claims the number of claims in the window that were examined
     */
    public record FreeCounts(int freeThroughout, Part scarcest, int claims) {}

    /** A part of a window, and the number of resources that are free throughout it. */
    public record Part(LeasePeriod period, int free) {}
}
