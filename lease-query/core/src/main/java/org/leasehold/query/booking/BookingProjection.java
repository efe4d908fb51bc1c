package org.leasehold.query.booking;

import org.jspecify.annotations.Nullable;
import org.leasehold.history.EventStreams;
import org.leasehold.history.RecordedEvent;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.UseObserved;
import org.leasehold.query.projection.EventStreamLoader;
import org.leasehold.query.projection.LeaseRequests;
import org.leasehold.query.projection.Projection;
import org.leasehold.readmodel.calendar.BookingCalendar;
import org.springframework.jdbc.core.JdbcTemplate;

import tools.jackson.databind.json.JsonMapper;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;

/**
 * The projection of the tables {@code booking} and {@code observed_use}. Bookings follow from all
 * events of the leases in a batch. These events are read again, all at once, and two statements
 * write what is known since and what no longer is. The observed use is copied from the events.
 */
final class BookingProjection implements Projection {

    static final String BOOKING = "booking";
    static final String USE = "observed_use";

    private static final JsonMapper JSON = new JsonMapper();

    private final JdbcTemplate jdbc;
    private final EventStreamLoader streamLoader;

    BookingProjection(JdbcTemplate jdbc, EventStreams streams) {
        this.jdbc = jdbc;
        this.streamLoader = new EventStreamLoader(jdbc, streams);
    }

    @Override
    public String name() {
        return BookingCalendar.READ_MODEL;
    }

    @Override
    public List<String> tables() {
        return List.of(BOOKING, USE);
    }

    @Override
    public void apply(List<RecordedEvent> events, UnaryOperator<String> table) {
        long first = events.getFirst().position();
        List<Line> known = new ArrayList<>();
        List<Line> forgotten = new ArrayList<>();
        for (List<RecordedEvent> life : streamLoader.loadStreams(events, LeaseEvent.class)) {
            for (BookingVersion booking : BookingVersion.of(life)) {
                if (booking.from() >= first) {
                    known.add(Line.of(life, booking));
                } else if (booking.isUndoneSince(first)) {
                    forgotten.add(Line.of(life, booking));
                }
            }
        }
        if (!forgotten.isEmpty()) {
            closeVersions(table.apply(BOOKING), forgotten);
        }
        if (!known.isEmpty()) {
            insert(table.apply(BOOKING), known);
        }
        List<RecordedEvent> seen =
                events.stream().filter(event -> event.event() instanceof UseObserved).toList();
        if (!seen.isEmpty()) {
            insertUse(table.apply(USE), seen);
        }
    }

    private void insertUse(String table, List<RecordedEvent> seen) {
        List<UseObserved> uses =
                seen.stream().map(RecordedEvent::event).map(UseObserved.class::cast).toList();
        jdbc.update(
                """
                INSERT INTO %s
                SELECT reservation, resource, position, seen::timestamptz, servers, vcpus
                FROM unnest(?, ?, ?, ?, ?, ?)
                    u (reservation, resource, position, seen, servers, vcpus)
                """
                        .formatted(table),
                column(uses, UUID[]::new, use -> use.reservationId().value()),
                column(uses, Long[]::new, use -> use.resourceId().value()),
                column(seen, Long[]::new, RecordedEvent::position),
                column(seen, String[]::new, event -> event.decidedAt().toString()),
                column(uses, Integer[]::new, UseObserved::servers),
                column(uses, Integer[]::new, UseObserved::vcpus));
    }

    private void insert(String table, List<Line> lines) {
        jdbc.update(
                """
                INSERT INTO %s
                SELECT b.lease::uuid, b.reservation, b.project, b.resource,
                    (SELECT enrolled.payload ->> 'kind' FROM domain_event enrolled
                     WHERE enrolled.stream_id = b.resource::text AND enrolled.sequence = 0),
                    b.what, b.slots, b.needs::jsonb, b.starts::timestamptz, b.ends::timestamptz,
                    b.known_from, b.known_to
                FROM unnest(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                    b (lease, reservation, project, resource, what, slots, needs, starts, ends,
                       known_from, known_to)
                """
                        .formatted(table),
                column(lines, String[]::new, Line::lease),
                column(lines, UUID[]::new, line -> line.booking().reservation().value()),
                column(lines, String[]::new, Line::project),
                column(lines, Long[]::new, line -> line.booking().resource().value()),
                column(lines, String[]::new, line -> line.booking().what().name()),
                column(lines, Integer[]::new, line -> line.booking().slots()),
                column(lines, String[]::new, line -> needsJson(line.booking())),
                column(lines, String[]::new, line -> line.booking().starts().toString()),
                column(lines, String[]::new, line -> line.booking().ends().toString()),
                column(lines, Long[]::new, line -> line.known().from()),
                column(lines, Long[]::new, line -> line.known().to()));
    }

    private static @Nullable String needsJson(Booking booking) {
        return booking.needs() == null ? null : JSON.writeValueAsString(booking.needs());
    }

    private void closeVersions(String table, List<Line> lines) {
        jdbc.update(
                """
                UPDATE %s b SET known_to = f.known_to
                FROM unnest(?, ?, ?, ?, ?, ?, ?)
                    f (lease, reservation, resource, what, starts, known_from, known_to)
                WHERE b.lease_id = f.lease::uuid AND b.reservation_id = f.reservation
                  AND b.resource_id = f.resource AND b.what = f.what
                  AND b.starts = f.starts::timestamptz AND b.known_from = f.known_from
                """
                        .formatted(table),
                column(lines, String[]::new, Line::lease),
                column(lines, UUID[]::new, line -> line.booking().reservation().value()),
                column(lines, Long[]::new, line -> line.booking().resource().value()),
                column(lines, String[]::new, line -> line.booking().what().name()),
                column(lines, String[]::new, line -> line.booking().starts().toString()),
                column(lines, Long[]::new, line -> line.known().from()),
                column(lines, Long[]::new, line -> line.known().to()));
    }

    private static <L, T> Object column(
            List<L> lines, IntFunction<T[]> array, Function<L, @Nullable T> value) {
        return lines.stream().map(value).toArray(array);
    }

    /**
     * Returns the project of a lease.
     *
     * @throws IllegalStateException if it was never granted
     */
    static String ownerOf(List<RecordedEvent> life) {
        return LeaseRequests.find(life)
                .map(requested -> requested.projectId().value())
                .orElseThrow(
                        () ->
                                new IllegalStateException(
                                        "lease %s has bookings, but nobody has asked for it"
                                                .formatted(life.getFirst().stream())));
    }

    private record Line(String lease, String project, BookingVersion known) {

        static Line of(List<RecordedEvent> life, BookingVersion known) {
            return new Line(life.getFirst().stream(), ownerOf(life), known);
        }

        Booking booking() {
            return known.booking();
        }
    }
}
