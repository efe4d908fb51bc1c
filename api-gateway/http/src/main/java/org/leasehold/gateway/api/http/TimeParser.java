package org.leasehold.gateway.api.http;

import org.leasehold.vocabulary.LeasePeriod;

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
public final class TimeParser {

    public static final String INSTANT_MESSAGE =
            "must be an ISO 8601 time with an offset, such as 2030-01-31T08:00:00Z";
    public static final String DURATION_MESSAGE = "must be an ISO 8601 duration, such as PT2H";

    /** RFC 3339, and ISO 8601's basic offsets such as +0530 and +05. */
    private static final DateTimeFormatter INSTANT_FORMAT =
            new DateTimeFormatterBuilder()
                    .parseCaseInsensitive()
                    .append(DateTimeFormatter.ISO_LOCAL_DATE_TIME)
                    .parseLenient()
                    .appendOffset("+HH", "Z")
                    .toFormatter(Locale.ROOT)
                    // Without both, 30 February would become 28 February.
                    .withResolverStyle(ResolverStyle.STRICT)
                    .withChronology(IsoChronology.INSTANCE);

    private static final Instant MIN_INSTANT = Instant.EPOCH;

    private TimeParser() {}

    /**
     * Reads an instant.
     *
     * @throws IllegalArgumentException if it is invalid; the message follows the field's name
     */
    public static Instant parseInstant(String text) {
        try {
            Instant instant = OffsetDateTime.parse(text, INSTANT_FORMAT).toInstant();
            if (!accepts(instant)) {
                throw new IllegalArgumentException(
                        "must lie from " + MIN_INSTANT + " to " + LeasePeriod.MAX_TIME);
            }
            return instant;
        } catch (DateTimeException malformed) {
            throw new IllegalArgumentException(INSTANT_MESSAGE, malformed);
        }
    }

    /** Returns whether a request can contain an instant. */
    public static boolean accepts(Instant instant) {
        return clamp(instant).equals(instant);
    }

    /**
     * Returns a computed instant for a response, or the nearest one that a request can contain:
     * readers of RFC 3339 know no year of five digits, and clients send back what they were given.
     */
    public static Instant clamp(Instant computed) {
        if (computed.isBefore(MIN_INSTANT)) {
            return MIN_INSTANT;
        }
        return computed.isAfter(LeasePeriod.MAX_TIME) ? LeasePeriod.MAX_TIME : computed;
    }

    /**
     * Reads a duration.
     *
     * @throws IllegalArgumentException if it is invalid; the message follows the field's name
     */
    public static Duration parseDuration(String text) {
        try {
            return Duration.parse(text);
        } catch (DateTimeException malformed) {
            throw new IllegalArgumentException(DURATION_MESSAGE, malformed);
        }
    }
}
