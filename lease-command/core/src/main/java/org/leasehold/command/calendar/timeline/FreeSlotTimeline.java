package org.leasehold.command.calendar.timeline;

import org.leasehold.calendar.Demand;
import org.leasehold.command.calendar.inventory.CachedResource;
import org.leasehold.command.calendar.inventory.FreeCapacityFilter;
import org.leasehold.command.calendar.timeline.FreeResourceTimeline.Claim;
import org.leasehold.command.calendar.timeline.FreeResourceTimeline.Part;
import org.leasehold.readmodel.capacity.Availability.Opening;
import org.leasehold.vocabulary.LeasePeriod;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;

/**
 * The number of free slots over time, computed from the claims on the resources: the counterpart of
 * {@link FreeResourceTimeline} for shared resources. Between two bounds of claims the number stays
 * the same.
 */
public final class FreeSlotTimeline {

    private final Demand.Shared demand;
    private final FreeCapacityFilter capacityFilter;
    private final List<Room> rooms;

    public FreeSlotTimeline(
            Demand.Shared demand, Collection<CachedResource> resources, Collection<Claim> claims) {
        this(demand, resources, new FreeCapacities(claims));
    }

    public FreeSlotTimeline(
            Demand.Shared demand, Collection<CachedResource> resources, FreeCapacities all) {
        this.demand = demand;
        capacityFilter = new FreeCapacityFilter(demand.requirement());
        rooms = new ArrayList<>(resources.size());
        for (CachedResource resource : resources) {
            FreeCapacity capacity = all.ofResource(resource);
            rooms.add(
                    new Room(
                            capacity, capacity.slotsWithoutClaims(demand.needs(), capacityFilter)));
        }
    }

    /**
     * The room of one resource.
     *
     * @param unclaimed the slots that would be free if nothing was claimed
     */
    private record Room(FreeCapacity capacity, int unclaimed) {}

    private int freeSlots(Room room, long from, long to) {
        return room.capacity()
                .freeSlots(demand.needs(), capacityFilter, from, to, room.unclaimed());
    }

    /**
     * Returns the slots that are free throughout the window, as far as the demand's spread permits
     * them.
     */
    public int countFreeThroughout(LeasePeriod window) {
        long from = Micros.of(window.start());
        long to = Micros.of(window.end());
        Tally tally = new Tally(demand.spread());
        rooms.forEach(room -> tally.add(freeSlots(room, from, to)));
        return tally.total();
    }

    /** Returns the slots that would be free if nothing was claimed. */
    public int countWithoutClaims() {
        Tally tally = new Tally(demand.spread());
        rooms.forEach(room -> tally.add(room.unclaimed()));
        return tally.total();
    }

    /** Returns the first of those parts of the window in which the fewest slots are free. */
    public Part scarcestPart(LeasePeriod window) {
        long end = Micros.of(window.end());
        List<Total> totals = freeSlotsByStart(Micros.of(window.start()), end, 1);
        int fewest = totals.stream().mapToInt(Total::slots).min().orElseThrow();
        long from =
                totals.stream()
                        .filter(total -> total.slots() == fewest)
                        .mapToLong(Total::from)
                        .findFirst()
                        .orElseThrow();
        long to =
                totals.stream()
                        .filter(total -> total.from() > from && total.slots() > fewest)
                        .mapToLong(Total::from)
                        .findFirst()
                        .orElse(end);
        return new Part(new LeasePeriod(Micros.instant(from), Micros.instant(to)), fewest);
    }

    /**
     * Returns the starts from {@code earliest} to {@code last}, both included, at which all slots
     * are free for the whole length.
     */
    public List<Opening> openings(Duration length, Instant earliest, Instant last, int limit) {
        // Claims may also make a resource usable: a requirement can ask for little free capacity.
        if (!capacityFilter.dependsOnWindow() && countWithoutClaims() < demand.slots()) {
            return List.of();
        }
        long end = Micros.of(last) + 1;
        List<Opening> openings = new ArrayList<>();
        long openFrom = -1;
        int free = 0;
        for (Total total : freeSlotsByStart(Micros.of(earliest), end, Micros.of(length))) {
            boolean enough = total.slots() >= demand.slots();
            if (enough && openFrom < 0) {
                openFrom = total.from();
                free = total.slots();
            } else if (!enough && openFrom >= 0) {
                openings.add(opening(openFrom, total.from(), free));
                openFrom = -1;
            }
        }
        if (openFrom >= 0) {
            openings.add(opening(openFrom, end, free));
        }
        return openings.stream().limit(limit).toList();
    }

    private static Opening opening(long from, long to, int free) {
        return new Opening(new LeasePeriod(Micros.instant(from), Micros.instant(to)), free);
    }

    /** Returns the slots that are free for a length, for all starts in a span of time, in order. */
    private List<Total> freeSlotsByStart(long from, long end, long length) {
        List<Step> steps = new ArrayList<>();
        Tally tally = new Tally(demand.spread());
        for (Room room : rooms) {
            int before = freeSlots(room, from, from + length);
            tally.add(before);
            for (long at : room.capacity().changePoints(from, end, length)) {
                int now = freeSlots(room, at, at + length);
                if (now != before) {
                    steps.add(new Step(at, before, now));
                    before = now;
                }
            }
        }
        steps.sort((one, other) -> Long.compare(one.at(), other.at()));
        List<Total> totals = new ArrayList<>();
        totals.add(new Total(from, tally.total()));
        for (int next = 0; next < steps.size(); next++) {
            Step step = steps.get(next);
            tally.remove(step.before());
            tally.add(step.now());
            if (next + 1 == steps.size() || steps.get(next + 1).at() != step.at()) {
                totals.add(new Total(step.at(), tally.total()));
            }
        }
        return totals;
    }

    /**
     * The slots that are free from a start on, until the start of the next one.
     *
     * @param from the first start with this number, in microseconds of the epoch
     */
    private record Total(long from, int slots) {}

    /** A change of the slots on one resource at an instant. */
    private record Step(long at, int before, int now) {}

    /** The sum of the slots on all resources. */
    private static final class Tally {

        private final Demand.Spread spread;
        private final TreeMap<Integer, Integer> countsBySlots = new TreeMap<>();
        private long sum;
        private int resourceCount;

        Tally(Demand.Spread spread) {
            this.spread = spread;
        }

        void add(int slots) {
            count(slots, 1);
        }

        void remove(int slots) {
            count(slots, -1);
        }

        private void count(int slots, int sign) {
            if (slots > 0) {
                sum += (long) sign * slots;
                resourceCount += sign;
                if (spread == Demand.Spread.TOGETHER) {
                    countsBySlots.merge(
                            slots, sign, (had, more) -> had + more == 0 ? null : had + more);
                }
            }
        }

        int total() {
            return switch (spread) {
                case ANYWHERE -> (int) Math.min(sum, Integer.MAX_VALUE);
                case TOGETHER -> countsBySlots.isEmpty() ? 0 : countsBySlots.lastKey();
                case APART -> resourceCount;
            };
        }
    }
}
