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

    /**
     * The last time that requests and responses contain. ISO 8601 has four digits for the year, and
     * later years need a sign.
     */
    public static final Instant MAX_TIME = Instant.parse("9999-12-31T23:59:59Z");

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
