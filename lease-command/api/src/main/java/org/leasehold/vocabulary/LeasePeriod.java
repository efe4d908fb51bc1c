package org.leasehold.vocabulary;

import java.time.Duration;
import java.time.Instant;

/**
 * A half-open window of time {@code [start, end)} in UTC: two periods that touch do not overlap.
 *
 * @param start the first instant inside
 * @param end the first instant after; later than {@code start}
 */
public record LeasePeriod(Instant start, Instant end) {

    public LeasePeriod {
        if (!end.isAfter(start)) {
            throw new IllegalArgumentException(
                    "a period ends after it starts: " + start + " - " + end);
        }
    }

    public Duration length() {
        return Duration.between(start, end);
    }

    public boolean contains(Instant instant) {
        return !instant.isBefore(start) && instant.isBefore(end);
    }

    public boolean overlaps(LeasePeriod other) {
        return start.isBefore(other.end) && other.start.isBefore(end);
    }
}
