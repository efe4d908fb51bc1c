package org.leasehold.runtime.moving;

import org.jspecify.annotations.Nullable;
import org.leasehold.runtime.moving.BlazarSnapshot.Dates;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Objects;

/** A row of Blazar's database, with Blazar's types. */
record BlazarRow(ResultSet columns) {

    @Nullable String textOrNull(String column) throws SQLException {
        return columns.getString(column);
    }

    /** Returns an empty text for null. */
    String text(String column) throws SQLException {
        return Objects.requireNonNullElse(columns.getString(column), "");
    }

    int number(String column) throws SQLException {
        return columns.getInt(column);
    }

    boolean isTrue(String column) throws SQLException {
        return columns.getBoolean(column);
    }

    /** Reads a time as UTC; Blazar stores no time zone. */
    @Nullable Instant instant(String column) throws SQLException {
        @Nullable LocalDateTime time = columns.getObject(column, LocalDateTime.class);
        return time == null ? null : time.toInstant(ZoneOffset.UTC);
    }

    Dates dates() throws SQLException {
        return new Dates(instant("created_at"), instant("updated_at"));
    }

    /** Returns the amount that Blazar promises of an inventory. */
    long capacity() throws SQLException {
        return (long)
                ((columns.getInt("total") - columns.getInt("reserved"))
                        * columns.getDouble("allocation_ratio"));
    }
}
