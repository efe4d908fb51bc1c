package org.leasehold.query.capacity.projection;

import org.leasehold.history.DerivedRows;
import org.leasehold.history.RecordedEvent;
import org.leasehold.query.booking.Booking;
import org.leasehold.query.booking.BookingVersion;

import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The expected spans of known bookings, from the events up to the table's position. */
final class CapacitySpanRows implements DerivedRows {

    private static final ObjectReader NEEDS =
            new JsonMapper().readerFor(new TypeReference<TreeMap<String, Long>>() {});

    @Override
    public String table() {
        return CapacityProjection.SPAN;
    }

    @Override
    public Subject subject() {
        return Subject.LEASE;
    }

    @Override
    public String query() {
        return """
        SELECT lease_id, reservation_id, resource_id, what, slots, needs, starts, ends
        FROM capacity_span WHERE what <> 'IDLE' ORDER BY lease_id
        """;
    }

    @Override
    public Row parseRow(ResultSet row) throws SQLException {
        String needs = row.getString("needs");
        return row(
                row.getString("reservation_id"),
                row.getLong("resource_id"),
                row.getString("what"),
                CapacityEvents.instant(row, "starts"),
                Map.of(
                        "slots", row.getString("slots"),
                        "needs", needs == null ? "null" : NEEDS.readValue(needs).toString(),
                        "ends", CapacityEvents.instant(row, "ends").toString()));
    }

    @Override
    public List<Row> expectedRows(List<RecordedEvent> life, Moment moment) {
        return BookingVersion.of(CapacityEvents.of(life, moment)).stream()
                .filter(known -> known.to() == null)
                .map(known -> row(known.booking()))
                .toList();
    }

    private static Row row(Booking booking) {
        return row(
                booking.reservation().toString(),
                booking.resource().value(),
                booking.what().name(),
                booking.starts(),
                Map.of(
                        "slots", Integer.toString(booking.slots()),
                        "needs", String.valueOf(booking.needs()),
                        "ends", booking.ends().toString()));
    }

    private static Row row(
            String reservation,
            long resource,
            String what,
            Instant starts,
            Map<String, String> columns) {
        return new Row(
                "reservation %s resource %s %s from %s"
                        .formatted(reservation, resource, what, starts),
                columns);
    }
}
