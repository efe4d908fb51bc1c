package org.leasehold.query.booking;

import org.jspecify.annotations.Nullable;
import org.leasehold.history.DerivedRows;
import org.leasehold.history.Invariant;
import org.leasehold.history.RecordedEvent;
import org.leasehold.readmodel.calendar.BookingCalendar;

import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** The expected rows of the tables of bookings, from the events up to the read model's position. */
final class BookingRows implements DerivedRows {

    static final Invariant BOOKING_KINDS_MATCH_RESOURCES =
            new Invariant(
                    BookingProjection.BOOKING,
                    """
                    SELECT 'lease ' || b.lease_id || ' resource ' || b.resource_id || ' kind',
                        coalesce(e.payload ->> 'kind', 'nothing'), b.kind
                    FROM booking b
                        LEFT JOIN domain_event e ON e.stream_type = 'Resource'
                            AND e.event_type = 'ResourceEnrolled'
                            AND (e.payload ->> 'resourceId')::bigint = b.resource_id
                    WHERE b.kind IS DISTINCT FROM e.payload ->> 'kind'
                    """);

    static final Invariant OBSERVED_USES_MATCH_EVENTS =
            ObservedUseInvariant.of(
                    BookingProjection.USE, BookingCalendar.READ_MODEL, "servers", "vcpus");

    private static final ObjectReader NEEDS =
            new JsonMapper().readerFor(new TypeReference<TreeMap<String, Long>>() {});

    @Override
    public String table() {
        return BookingProjection.BOOKING;
    }

    @Override
    public Subject subject() {
        return Subject.LEASE;
    }

    @Override
    public String query() {
        return """
        SELECT lease_id, project_id, reservation_id, resource_id, what, slots, needs, starts, ends,
            known_from, known_to
        FROM booking ORDER BY lease_id
        """;
    }

    @Override
    public Row parseRow(ResultSet row) throws SQLException {
        String needs = row.getString("needs");
        return new Row(
                key(
                        row.getString("reservation_id"),
                        row.getLong("resource_id"),
                        row.getString("what"),
                        instant(row, "starts"),
                        row.getLong("known_from")),
                values(
                        row.getString("project_id"),
                        row.getInt("slots"),
                        needs == null ? null : NEEDS.readValue(needs),
                        instant(row, "ends"),
                        row.getObject("known_to", Long.class)));
    }

    private static Instant instant(ResultSet row, String column) throws SQLException {
        return row.getObject(column, OffsetDateTime.class).toInstant();
    }

    @Override
    public List<Row> expectedRows(List<RecordedEvent> life, Moment moment) {
        long last = Objects.requireNonNull(moment.standing().get(BookingCalendar.READ_MODEL));
        List<RecordedEvent> taken =
                life.stream().takeWhile(event -> event.position() <= last).toList();
        return BookingVersion.of(taken).stream()
                .map(known -> row(BookingProjection.ownerOf(taken), known))
                .toList();
    }

    private static Row row(String project, BookingVersion known) {
        Booking booking = known.booking();
        return new Row(
                key(
                        booking.reservation().toString(),
                        booking.resource().value(),
                        booking.what().name(),
                        booking.starts(),
                        known.from()),
                values(project, booking.slots(), booking.needs(), booking.ends(), known.to()));
    }

    private static String key(
            String reservation, long resource, String what, Instant starts, long from) {
        return "reservation %s resource %s %s from %s, known from %s"
                .formatted(reservation, resource, what, starts, from);
    }

    private static Map<String, String> values(
            String project,
            int slots,
            @Nullable Map<String, Long> needs,
            Instant ends,
            @Nullable Long to) {
        return Map.of(
                "project_id", project,
                "slots", Integer.toString(slots),
                "needs", String.valueOf(needs),
                "ends", ends.toString(),
                "known_to", String.valueOf(to));
    }
}
