package org.leasehold.command.calendar;

import org.leasehold.calendar.Demand;
import org.leasehold.command.calendar.FreeTime.Claim;
import org.leasehold.command.calendar.FreeTime.Part;
import org.leasehold.lease.LeasePeriod;
import org.leasehold.query.Availability.Opening;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * When how many slots are free, given what is claimed of the resources: what {@link FreeTime} is
 * for whole ones. Between two bounds of claims the number stays the same.
 */
final class SharedTime {

    private final Demand.Shared demand;
    private final Left left;
    private final List<Room> rooms;

    SharedTime(
            Demand.Shared demand, Collection<KnownResource> resources, Collection<Claim> claims) {
        this(demand, resources, new Rooms(claims));
    }

    SharedTime(Demand.Shared demand, Collection<KnownResource> resources, Rooms all) {
        this.demand = demand;
        left = new Left(demand.requirement());
        rooms = resources.stream().map(all::on).toList();
    }

    /** How many slots are free throughout the window, as far as they lie as they should. */
    int throughout(LeasePeriod window) {
        Tally tally = new Tally(demand.spread());
        rooms.forEach(room -> tally.add(room.slots(demand.needs(), left, window)));
        return tally.total();
    }

    /** The first of those parts of the window in which the fewest slots are free. */
    Part scarcest(LeasePeriod window) {
        long end = Micros.of(window.end());
        SortedMap<Long, Integer> totals = totals(Micros.of(window.start()), end, 1);
        int fewest = totals.values().stream().mapToInt(Integer::intValue).min().orElseThrow();
        long from =
                totals.entrySet().stream()
                        .filter(total -> total.getValue() == fewest)
                        .mapToLong(Map.Entry::getKey)
                        .findFirst()
                        .orElseThrow();
        long to =
                totals.tailMap(from).entrySet().stream()
                        .filter(total -> total.getValue() > fewest)
                        .mapToLong(Map.Entry::getKey)
                        .findFirst()
                        .orElse(end);
        return new Part(new LeasePeriod(Micros.instant(from), Micros.instant(to)), fewest);
    }

    /**
     * The starts from {@code earliest} to {@code last}, both included, at which all slots are free
     * for the whole length.
     */
    List<Opening> openings(Duration length, Instant earliest, Instant last, int limit) {
        long end = Micros.of(last) + 1;
        List<Opening> openings = new ArrayList<>();
        long openFrom = -1;
        int free = 0;
        for (var total : totals(Micros.of(earliest), end, Micros.of(length)).entrySet()) {
            boolean enough = total.getValue() >= demand.slots();
            if (enough && openFrom < 0) {
                openFrom = total.getKey();
                free = total.getValue();
            } else if (!enough && openFrom >= 0) {
                openings.add(opening(openFrom, total.getKey(), free));
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

    /** From when on how many slots are free for a length, for all starts in a span of time. */
    private SortedMap<Long, Integer> totals(long from, long end, long length) {
        List<Step> steps = new ArrayList<>();
        Tally tally = new Tally(demand.spread());
        for (Room room : rooms) {
            int before = room.slots(demand.needs(), left, from, from + length);
            tally.add(before);
            for (long at : turns(room, from, end, length)) {
                int now = room.slots(demand.needs(), left, at, at + length);
                steps.add(new Step(at, before, now));
                before = now;
            }
        }
        steps.sort(Comparator.comparingLong(Step::at));
        SortedMap<Long, Integer> totals = new TreeMap<>();
        totals.put(from, tally.total());
        for (Step step : steps) {
            tally.remove(step.before());
            tally.add(step.now());
            totals.put(step.at(), tally.total());
        }
        return totals;
    }

    /** The starts at which the room may be another one: a claim is over, or is run into. */
    private static long[] turns(Room room, long from, long end, long length) {
        return room.claims().stream()
                .flatMap(
                        claim ->
                                List.of(
                                        Micros.of(claim.during().end()),
                                        Micros.of(claim.during().start()) - length + 1)
                                        .stream())
                .mapToLong(Long::longValue)
                .filter(at -> at > from && at < end)
                .sorted()
                .distinct()
                .toArray();
    }

    /** The room on one resource is another one from an instant on. */
    private record Step(long at, int before, int now) {}

    /** How many slots the rooms make together. */
    private static final class Tally {

        private final Demand.Spread spread;
        private final TreeMap<Integer, Integer> rooms = new TreeMap<>();
        private long sum;
        private int some;

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
                some += sign;
                rooms.merge(slots, sign, (had, more) -> had + more == 0 ? null : had + more);
            }
        }

        int total() {
            return switch (spread) {
                case ANYWHERE -> (int) Math.min(sum, Integer.MAX_VALUE);
                case TOGETHER -> rooms.isEmpty() ? 0 : rooms.lastKey();
                case APART -> some;
            };
        }
    }
}
