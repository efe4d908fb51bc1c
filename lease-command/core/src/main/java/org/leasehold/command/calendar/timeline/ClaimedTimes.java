package org.leasehold.command.calendar.timeline;

import org.leasehold.vocabulary.LeasePeriod;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * The claimed times of one resource, in order, in microseconds of the epoch. Claims on a whole
 * resource do not overlap, so their ends are in order, too. Claims that share a resource do
 * overlap; of those it has only the time in which there is any. Immutable.
 */
public final class ClaimedTimes {

    public static final ClaimedTimes NONE = new ClaimedTimes(new long[0], new long[0]);

    private final long[] starts;
    private final long[] ends;

    private ClaimedTimes(long[] starts, long[] ends) {
        this.starts = starts;
        this.ends = ends;
    }

    public static ClaimedTimes of(Collection<LeasePeriod> claimed) {
        List<LeasePeriod> inOrder =
                claimed.stream().sorted(Comparator.comparing(LeasePeriod::start)).toList();
        long[] starts = new long[inOrder.size()];
        long[] ends = new long[inOrder.size()];
        int size = 0;
        for (LeasePeriod period : inOrder) {
            long start = Micros.of(period.start());
            long end = Micros.of(period.end());
            if (size > 0 && start < ends[size - 1]) {
                ends[size - 1] = Math.max(ends[size - 1], end);
            } else {
                starts[size] = start;
                ends[size] = end;
                size++;
            }
        }
        return new ClaimedTimes(Arrays.copyOf(starts, size), Arrays.copyOf(ends, size));
    }

    /** Returns the time that is in either of both. */
    public ClaimedTimes union(ClaimedTimes other) {
        List<LeasePeriod> both = new ArrayList<>(periods());
        both.addAll(other.periods());
        return of(both);
    }

    private List<LeasePeriod> periods() {
        return IntStream.range(0, size()).mapToObj(this::period).toList();
    }

    private LeasePeriod period(int slot) {
        return new LeasePeriod(Micros.instant(starts[slot]), Micros.instant(ends[slot]));
    }

    public int size() {
        return starts.length;
    }

    long start(int slot) {
        return starts[slot];
    }

    long end(int slot) {
        return ends[slot];
    }

    public boolean isFree(LeasePeriod window) {
        int next = firstEndingAfter(Micros.of(window.start()));
        return next == starts.length || starts[next] >= Micros.of(window.end());
    }

    /** Gives each claimed time that overlaps the window to an action, whole and in order. */
    public void forEachTouching(LeasePeriod window, Consumer<LeasePeriod> action) {
        long end = Micros.of(window.end());
        for (int slot = firstEndingAfter(Micros.of(window.start()));
                slot < size() && starts[slot] < end;
                slot++) {
            action.accept(period(slot));
        }
    }

    /**
     * Returns the index of the first period that is not over at an instant; their number if all
     * are.
     */
    int firstEndingAfter(long instant) {
        int index = Arrays.binarySearch(ends, instant);
        return index < 0 ? -index - 1 : index + 1;
    }

    /**
     * Returns the times with one more. While events are applied, a time may be added before an
     * earlier claim from the same instant on is removed.
     */
    public ClaimedTimes with(LeasePeriod claimed) {
        long start = Micros.of(claimed.start());
        long end = Micros.of(claimed.end());
        int index = firstFrom(start);
        while (index < starts.length && starts[index] == start && ends[index] < end) {
            index++;
        }
        return new ClaimedTimes(insertAt(starts, index, start), insertAt(ends, index, end));
    }

    /** Returns the times without one of them. */
    public ClaimedTimes without(LeasePeriod claimed) {
        long start = Micros.of(claimed.start());
        long end = Micros.of(claimed.end());
        for (int index = firstFrom(start);
                index < starts.length && starts[index] == start;
                index++) {
            if (ends[index] == end) {
                return new ClaimedTimes(removeAt(starts, index), removeAt(ends, index));
            }
        }
        return this;
    }

    /** Returns the index of the first period that starts at an instant or later. */
    private int firstFrom(long instant) {
        int index = Arrays.binarySearch(starts, instant);
        if (index < 0) {
            return -index - 1;
        }
        while (index > 0 && starts[index - 1] == instant) {
            index--;
        }
        return index;
    }

    private static long[] insertAt(long[] values, int index, long value) {
        long[] more = new long[values.length + 1];
        System.arraycopy(values, 0, more, 0, index);
        more[index] = value;
        System.arraycopy(values, index, more, index + 1, values.length - index);
        return more;
    }

    private static long[] removeAt(long[] values, int index) {
        long[] fewer = new long[values.length - 1];
        System.arraycopy(values, 0, fewer, 0, index);
        System.arraycopy(values, index + 1, fewer, index, fewer.length - index);
        return fewer;
    }
}
