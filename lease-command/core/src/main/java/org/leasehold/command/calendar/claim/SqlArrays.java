package org.leasehold.command.calendar.claim;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceId;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ReservationId;
import org.springframework.jdbc.support.SqlArrayValue;

import java.sql.Array;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Converts values of the calendar to arrays and ranges of PostgreSQL, and back. */
final class SqlArrays {

    private SqlArrays() {}

    static Set<ResourceId> resources(@Nullable Array array) throws SQLException {
        return Arrays.stream(longs(array)).map(ResourceId::new).collect(Collectors.toSet());
    }

    static @Nullable String[] texts(@Nullable Array array) throws SQLException {
        return array == null ? new String[0] : (String[]) array.getArray();
    }

    static Long[] longs(@Nullable Array array) throws SQLException {
        return array == null ? new Long[0] : (Long[]) array.getArray();
    }

    static SqlArrayValue ranges(Collection<LeasePeriod> windows) {
        return array("text", windows.stream().map(SqlArrays::range));
    }

    static String range(LeasePeriod window) {
        return "[" + text(window.start()) + "," + text(window.end()) + ")";
    }

    /**
     * Formats an instant. A lease may end as late as the year 9999, and a look at the time after it
     * may go further.
     */
    private static String text(Instant instant) {
        // Java writes a sign before a year of five digits, which PostgreSQL takes for a zone.
        String text = instant.toString();
        return text.startsWith("+") ? text.substring(1) : text;
    }

    static String textArray(Collection<String> texts) {
        return texts.stream()
                .map(text -> '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"')
                .collect(Collectors.joining(",", "{", "}"));
    }

    static SqlArrayValue bigints(Collection<ResourceId> resources) {
        return array("bigint", resources.stream().map(ResourceId::value));
    }

    static SqlArrayValue uuids(Collection<ReservationId> reservations) {
        return array("uuid", reservations.stream().map(ReservationId::value));
    }

    static SqlArrayValue array(String type, Stream<?> elements) {
        return new SqlArrayValue(type, elements.toArray());
    }
}
