package org.leasehold.invariants;

import org.leasehold.vocabulary.LeasePeriod;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** A half-open window; an empty one overlaps nothing. */
public record Window(Instant start, Instant end) {

    /** Truncates to microseconds, as the database does. */
    public Window {
        start = start.truncatedTo(ChronoUnit.MICROS);
        end = end.truncatedTo(ChronoUnit.MICROS);
    }

    public static Window of(LeasePeriod period) {
        return new Window(period.start(), period.end());
    }

    public boolean isEmpty() {
        return !start.isBefore(end);
    }

    public Window extendedBy(Duration cleaning) {
        return new Window(start, end.plus(cleaning));
    }

    public Window clipStart(Instant instant) {
        return instant.isAfter(start) ? new Window(instant, end) : this;
    }

    public Window clipEnd(Instant instant) {
        return instant.isBefore(end) ? new Window(start, instant) : this;
    }

    public boolean overlaps(Window other) {
        return !isEmpty()
                && !other.isEmpty()
                && start.isBefore(other.end)
                && other.start.isBefore(end);
    }

    boolean includes(Instant instant) {
        return !instant.isBefore(start) && instant.isBefore(end);
    }

    public boolean contains(Window other) {
        return !other.start.isBefore(start) && !other.end.isAfter(end);
    }
}
