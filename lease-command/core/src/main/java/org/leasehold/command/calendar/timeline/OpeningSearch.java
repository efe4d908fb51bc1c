package org.leasehold.command.calendar.timeline;

import org.leasehold.readmodel.capacity.Availability.Opening;
import org.leasehold.vocabulary.LeasePeriod;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Finds the starts at which enough resources are free for a whole length.
 *
 * <p>Of many thousand claims most do not change the result. So time is divided into parts, and the
 * claims that block a start are counted per part. Only if the counts do not decide a part, its
 * instants are examined one by one.
 */
final class OpeningSearch {

    private static final int MAX_PARTS = 1_024;

    private final List<ClaimedTimes> resources;
    private final long length;
    private final long earliest;
    private final long end;
    private final long partWidth;
    private final int partCount;

    /**
     * The number of resources, per part, that block some start in it, every start, and its first
     * one.
     */
    private final int[] partlyBlocked;

    private final int[] allBlocked;
    private final int[] firstBlocked;

    private final List<Opening> openings = new ArrayList<>();
    private boolean open;
    private long openFrom;
    private int freeAtFrom;

    /** Creates a search of the starts from {@code earliest} to {@code end}, exclusive. */
    OpeningSearch(List<ClaimedTimes> resources, long length, long earliest, long end) {
        this.resources = resources;
        this.length = length;
        this.earliest = earliest;
        this.end = end;
        this.partWidth = Math.ceilDiv(end - earliest, MAX_PARTS);
        this.partCount = (int) Math.ceilDiv(end - earliest, partWidth);
        this.partlyBlocked = new int[partCount + 1];
        this.allBlocked = new int[partCount + 1];
        this.firstBlocked = new int[partCount + 1];
    }

    List<Opening> find(int wanted, int limit) {
        forEachBlocked(this::countBlocked);
        sumPrefixes(partlyBlocked);
        sumPrefixes(allBlocked);
        sumPrefixes(firstBlocked);
        long[] changes = findChanges(wanted);
        int next = 0;
        for (int part = 0; part < partCount && openings.size() < limit; part++) {
            int free = resources.size() - firstBlocked[part];
            processInstant(startOf(part), free, wanted);
            while (next < changes.length
                    && instantOf(changes[next]) < startOf(part) + partWidth
                    && openings.size() < limit) {
                long instant = instantOf(changes[next]);
                for (; next < changes.length && instantOf(changes[next]) == instant; next++) {
                    free += (changes[next] & 1) == 1 ? 1 : -1;
                }
                processInstant(instant, free, wanted);
            }
        }
        if (open && openings.size() < limit) {
            closeOpening(end);
        }
        return openings;
    }

    private void processInstant(long instant, int free, int wanted) {
        if (!open && free >= wanted) {
            open = true;
            openFrom = instant;
            freeAtFrom = free;
        } else if (open && free < wanted) {
            closeOpening(instant);
        }
    }

    private void closeOpening(long instant) {
        openings.add(
                new Opening(
                        new LeasePeriod(Micros.instant(openFrom), Micros.instant(instant)),
                        freeAtFrom));
        open = false;
    }

    /** Receives the blocked starts, per resource and in order: from one up to another. */
    @FunctionalInterface
    private interface Blocked {
        void accept(long from, long to);
    }

    /** Visits all blocked starts. A claim blocks a start if it begins before the length is over. */
    private void forEachBlocked(Blocked blocked) {
        for (ClaimedTimes slots : resources) {
            int slot = slots.firstEndingAfter(earliest);
            while (slot < slots.size() && slots.start(slot) - length + 1 < end) {
                long from = slots.start(slot) - length + 1;
                long to = slots.end(slot);
                for (slot++; slot < slots.size() && slots.start(slot) - length + 1 <= to; slot++) {
                    to = Math.max(to, slots.end(slot));
                }
                blocked.accept(Math.max(from, earliest), Math.min(to, end));
            }
        }
    }

    private void countBlocked(long from, long to) {
        int firstWhole = (int) Math.ceilDiv(from - earliest, partWidth);
        int last = partOf(to - 1);
        addRange(partlyBlocked, partOf(from), last);
        addRange(firstBlocked, firstWhole, last);
        addRange(allBlocked, firstWhole, to == end ? partCount - 1 : partOf(to) - 1);
    }

    private static void addRange(int[] counts, int first, int last) {
        if (first <= last) {
            counts[first]++;
            counts[last + 1]--;
        }
    }

    private static void sumPrefixes(int[] counts) {
        for (int part = 1; part < counts.length; part++) {
            counts[part] += counts[part - 1];
        }
    }

    /**
     * Returns the instants, in order, at which a resource is blocked or freed in the undecided
     * parts.
     */
    private long[] findChanges(int wanted) {
        boolean[] matters = new boolean[partCount];
        boolean any = false;
        for (int part = 0; part < partCount; part++) {
            matters[part] =
                    resources.size() - partlyBlocked[part] < wanted
                            && resources.size() - allBlocked[part] >= wanted;
            any |= matters[part];
        }
        Changes changes = new Changes();
        if (any) {
            forEachBlocked(
                    (from, to) -> {
                        if (matters[partOf(from)] && from > startOf(partOf(from))) {
                            changes.add((from - earliest) << 1);
                        }
                        if (to < end && matters[partOf(to)] && to > startOf(partOf(to))) {
                            changes.add((to - earliest) << 1 | 1);
                        }
                    });
        }
        return changes.sorted();
    }

    private long instantOf(long change) {
        return earliest + (change >>> 1);
    }

    private int partOf(long instant) {
        return (int) ((instant - earliest) / partWidth);
    }

    private long startOf(int part) {
        return earliest + part * partWidth;
    }

    /** A list that grows. One number holds an instant after the earliest, and whether it frees. */
    private static final class Changes {

        private long[] values = new long[256];
        private int size;

        void add(long value) {
            if (size == values.length) {
                values = Arrays.copyOf(values, 2 * size);
            }
            values[size++] = value;
        }

        long[] sorted() {
            long[] sorted = Arrays.copyOf(values, size);
            Arrays.sort(sorted);
            return sorted;
        }
    }
}
