package org.leasehold.gateway.api;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.chrono.IsoChronology;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.ResolverStyle;
import java.util.Locale;

/** Reads ISO 8601 times, and accepts only those that a database can store. */
final class Times {

    static final String INSTANT =
            "must be an ISO 8601 time with an offset, such as 2030-01-31T08:00:00Z";
    static final String DURATION = "must be an ISO 8601 duration, such as PT2H";

    /** RFC 3339, and ISO 8601's basic offsets such as +0530 and +05. */
    private static final DateTimeFormatter ISO =
            new DateTimeFormatterBuilder()
                    .parseCaseInsensitive()
                    .append(DateTimeFormatter.ISO_LOCAL_DATE_TIME)
                    .parseLenient()
                    .appendOffset("+HH", "Z")
                    .toFormatter(Locale.ROOT)
                    // Without both, 30 February would become 28 February.
                    .withResolverStyle(ResolverStyle.STRICT)
                    .withChronology(IsoChronology.INSTANCE);

    private static final Instant FIRST = Instant.EPOCH;
    private static final Instant LAST = Instant.parse("9999-12-31T23:59:59Z");

    private Times() {}

    /**
     * Reads an instant.
     *
     * @throws IllegalArgumentException if it is invalid; the message follows the field's name
     */
    static Instant instant(String text) {
        try {
            Instant instant = OffsetDateTime.parse(text, ISO).toInstant();
            if (instant.isBefore(FIRST) || instant.isAfter(LAST)) {
                throw new IllegalArgumentException("must lie from " + FIRST + " to " + LAST);
            }
            return instant;
        } catch (DateTimeException malformed) {
            throw new IllegalArgumentException(INSTANT, malformed);
        }
    }

    /**
     * Reads a duration.
     *
     * @throws IllegalArgumentException if it is invalid; the message follows the field's name
     */
    static Duration duration(String text) {
        try {
            return Duration.parse(text);
        } catch (DateTimeException malformed) {
            throw new IllegalArgumentException(DURATION, malformed);
        }
    }
}
