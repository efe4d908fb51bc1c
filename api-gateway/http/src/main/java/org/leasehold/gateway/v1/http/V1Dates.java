package org.leasehold.gateway.v1.http;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The dates of requests in Blazar's form: minutes, in UTC. */
public final class V1Dates {

    /** Minutes as Python's strptime reads {@code %Y-%m-%d %H:%M}, also without leading zeros. */
    private static final Pattern MINUTES =
            Pattern.compile("([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})\\s+([0-9]{1,2}):([0-9]{1,2})");

    private V1Dates() {}

    /** Returns the minute of an instant, which is the meaning of {@code now}. */
    public static Instant truncateToMinute(Instant instant) {
        return instant.truncatedTo(ChronoUnit.MINUTES);
    }

    public static Instant parseOrNow(@Nullable JsonNode value, Instant now) {
        return value != null && value.isString() && value.stringValue().equals("now")
                ? truncateToMinute(now)
                : parse(value);
    }

    public static Instant parse(@Nullable JsonNode value) {
        if (value == null || !value.isString()) {
            throw invalid(value == null || value.isNull() ? "None" : value.toString());
        }
        Matcher date = MINUTES.matcher(value.stringValue());
        if (!date.matches() || date.group(1).equals("0000")) {
            throw invalid(value.stringValue());
        }
        try {
            return LocalDateTime.of(
                            number(date, 1),
                            number(date, 2),
                            number(date, 3),
                            number(date, 4),
                            number(date, 5))
                    .toInstant(ZoneOffset.UTC);
        } catch (DateTimeException noSuchDay) {
            throw invalid(value.stringValue());
        }
    }

    private static int number(Matcher date, int group) {
        return Integer.parseInt(date.group(group));
    }

    private static V1Exception invalid(String value) {
        return V1Exception.refused(
                400, value + " is an invalid date. Required format: %Y-%m-%d %H:%M");
    }
}
