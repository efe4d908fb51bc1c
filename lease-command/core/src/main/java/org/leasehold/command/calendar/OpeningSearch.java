package org.leasehold.command.calendar;

import org.leasehold.lease.LeasePeriod;
import org.leasehold.query.Availability.Opening;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Finds the starts at which enough resources are free for a whole length.
 *
 * <p>Of many thousand claims most change nothing about the answer. So the time is cut into parts,
 * and what blocks a start is counted per part; only where that leaves open whether enough are free,
 * the part is gone through instant by instant.
 */
final class OpeningSearch {

    private static final int PARTS = 1_024;

    private final List<Slots> resources;
    private final long length;
    private final long earliest;
    private final long end;
    private final long width;
    private final int parts;

    /** Counts, per part, what blocks some start in it, every start in it, and its first one. */
    private final int[] someBlocked;

    private final int[] allBlocked;
    private final int[] firstBlocked;

    private final List<Opening> openings = new ArrayList<>();
    private boolean open;
    private long openFrom;
    private int freeAtFrom;

    /** Considers the starts from {@code earliest} up to, not including, {@code end}. */
    OpeningSearch(List<Slots> resources, long length, long earliest, long end) {
        this.resources = resources;
        this.length = length;
        this.earliest = earliest;
        this.end = end;
        this.width = Math.ceilDiv(end - earliest, PARTS);
        this.parts = (int) Math.ceilDiv(end - earliest, width);
        this.someBlocked = new int[parts + 1];
        this.allBlocked = new int[parts + 1];
        this.firstBlocked = new int[parts + 1];
    }

    List<Opening> find(int wanted, int limit) {
        forEachBlocked(this::count);
        sum(someBlocked);
        sum(allBlocked);
        sum(firstBlocked);
        long[] changes = changes(wanted);
        int next = 0;
        for (int part = 0; part < parts && openings.size() < limit; part++) {
            int free = resources.size() - firstBlocked[part];
            step(start(part), free, wanted);
            while (next < changes.length
                    && instant(changes[next]) < start(part) + width
                    && openings.size() < limit) {
                long instant = instant(changes[next]);
                for (; next < changes.length && instant(changes[next]) == instant; next++) {
                    free += (changes[next] & 1) == 1 ? 1 : -1;
                }
                step(instant, free, wanted);
            }
        }
        if (open && openings.size() < limit) {
            close(end);
        }
        return openings;
    }

    private void step(long instant, int free, int wanted) {
        if (!open && free >= wanted) {
            open = true;
            openFrom = instant;
            freeAtFrom = free;
        } else if (open && free < wanted) {
            close(instant);
        }
    }

    private void close(long instant) {
        openings.add(
                new Opening(
                        new LeasePeriod(Micros.instant(openFrom), Micros.instant(instant)),
                        freeAtFrom));
        open = false;
    }

    /** Told, per resource and in order, which starts are blocked: from one up to another. */
    @FunctionalInterface
    private interface Blocked {
        void between(long from, long to);
    }

    /** A start is blocked by a claim if the claim begins before the length is over. */
    private void forEachBlocked(Blocked blocked) {
        for (Slots slots : resources) {
            int slot = slots.firstEndingAfter(earliest);
            while (slot < slots.size() && slots.start(slot) - length + 1 < end) {
                long from = slots.start(slot) - length + 1;
                long to = slots.end(slot);
                for (slot++; slot < slots.size() && slots.start(slot) - length + 1 <= to; slot++) {
                    to = Math.max(to, slots.end(slot));
                }
                blocked.between(Math.max(from, earliest), Math.min(to, end));
            }
        }
    }

    private void count(long from, long to) {
        int firstWhole = (int) Math.ceilDiv(from - earliest, width);
        int last = part(to - 1);
        add(someBlocked, part(from), last);
        add(firstBlocked, firstWhole, last);
        add(allBlocked, firstWhole, to == end ? parts - 1 : part(to) - 1);
    }

    private static void add(int[] counts, int first, int last) {
        if (first <= last) {
            counts[first]++;
            counts[last + 1]--;
        }
    }

    private static void sum(int[] counts) {
        for (int part = 1; part < counts.length; part++) {
            counts[part] += counts[part - 1];
        }
    }

    /** When, inside those parts in which it matters, a resource is blocked or freed, in order. */
    private long[] changes(int wanted) {
        boolean[] matters = new boolean[parts];
        boolean any = false;
        for (int part = 0; part < parts; part++) {
            matters[part] =
                    resources.size() - someBlocked[part] < wanted
                            && resources.size() - allBlocked[part] >= wanted;
            any |= matters[part];
        }
        Changes changes = new Changes();
        if (any) {
            forEachBlocked(
                    (from, to) -> {
                        if (matters[part(from)] && from > start(part(from))) {
                            changes.add((from - earliest) << 1);
                        }
                        if (to < end && matters[part(to)] && to > start(part(to))) {
                            changes.add((to - earliest) << 1 | 1);
                        }
                    });
        }
        return changes.inOrder();
    }

    private long instant(long change) {
        return earliest + (change >>> 1);
    }

    private int part(long instant) {
        return (int) ((instant - earliest) / width);
    }

    private long start(int part) {
        return earliest + part * width;
    }

    /** A list that grows; an instant after the earliest, and whether it frees, in one number. */
    private static final class Changes {

        private long[] values = new long[256];
        private int size;

        void add(long value) {
            if (size == values.length) {
                values = Arrays.copyOf(values, 2 * size);
            }
            values[size++] = value;
        }

        long[] inOrder() {
            long[] sorted = Arrays.copyOf(values, size);
            Arrays.sort(sorted);
            return sorted;
        }
    }
}
