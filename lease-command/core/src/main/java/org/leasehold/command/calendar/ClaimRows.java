package org.leasehold.command.calendar;

import org.leasehold.command.calendar.LeaseCalendar.Slot;
import org.leasehold.history.DerivedRows;
import org.leasehold.history.Invariant;
import org.leasehold.history.RecordedEvent;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The promises of a lease, as its events make them. */
final class ClaimRows implements DerivedRows {

    static final Invariant NOTHING_IS_PROMISED_TWICE =
            new Invariant(
                    "claim",
                    """
                    SELECT 'resource ' || one.resource_id,
                           'promised to one at a time',
                           format('reservation %s %s and reservation %s %s',
                                  one.reservation_id, one.during,
                                  other.reservation_id, other.during)
                    FROM claim one JOIN claim other USING (resource_id, within)
                    WHERE one.during && other.during AND one.occupancy <> other.occupancy
                      AND one.reservation_id < other.reservation_id
                    """);

    private static final String NIL = "00000000-0000-0000-0000-000000000000";

    @Override
    public String table() {
        return "claim";
    }

    @Override
    public Subject subject() {
        return Subject.LEASE;
    }

    @Override
    public String query() {
        return """
        SELECT lease_id, reservation_id, resource_id, within, occupancy, project_id,
               lower(during), upper(during) - cleaning, extract(epoch FROM cleaning)::float8
        FROM claim ORDER BY lease_id
        """;
    }

    @Override
    public Row found(ResultSet row) throws SQLException {
        return new Row(
                key(row.getString(2), row.getLong(3)),
                Map.of(
                        "within", row.getString(4),
                        "occupancy", row.getString(5),
                        "project", row.getString(6),
                        "from", instant(row, 7).toString(),
                        "until", instant(row, 8).toString(),
                        "cleaning", seconds(row.getDouble(9)).toString()));
    }

    private static Instant instant(ResultSet row, int column) throws SQLException {
        return row.getObject(column, OffsetDateTime.class).toInstant();
    }

    private static Duration seconds(double seconds) {
        return Duration.ofNanos(Math.round(seconds * 1e6) * 1000);
    }

    @Override
    public List<Row> expected(List<RecordedEvent> life, Moment moment) {
        LeaseCalendar calendar = LeaseCalendar.of(life);
        List<Row> rows = new ArrayList<>();
        calendar.promises()
                .forEach(
                        (slot, promise) ->
                                rows.add(
                                        new Row(
                                                key(slot),
                                                Map.of(
                                                        "within", NIL,
                                                        "occupancy", slot.reservation().toString(),
                                                        "project", calendar.project(),
                                                        "from", promise.from().toString(),
                                                        "until", promise.until().toString(),
                                                        "cleaning", promise.cleaning().toString()),
                                                // What is over is forgotten some time.
                                                promise.over().isAfter(moment.now()))));
        return rows;
    }

    private static String key(Slot slot) {
        return key(slot.reservation().toString(), slot.resource().value());
    }

    private static String key(String reservation, long resource) {
        return "reservation %s on resource %d".formatted(reservation, resource);
    }
}
