package org.leasehold.query.booking;

import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.calendar.BookingCalendar;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;
import org.springframework.jdbc.core.simple.JdbcClient;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;

/**
 * Queries of the table of bookings. The database merges the bookings of others before it counts
 * lines or cuts pages, so that no page ends where one of theirs does.
 */
final class PostgresCalendar implements BookingCalendar {

    private static final String ORDER = " ORDER BY resource_id, starts, reservation_id";

    private final JdbcClient jdbc;

    PostgresCalendar(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    @Override
    public Page<Line> page(ListBookings question) {
        Query query = new Query(question);
        // One line more than requested shows whether there is a next page.
        List<Line> lines =
                jdbc.sql(query.text())
                        .params(query.conditions.values())
                        .query((row, _) -> line(row))
                        .list();
        return Page.of(lines, question.limit(), last -> CalendarMarker.after(last).text());
    }

    private static Line line(ResultSet row) throws SQLException {
        ResourceId resource = new ResourceId(row.getLong("resource_id"));
        Instant starts = instant(row, "starts");
        Instant ends = instant(row, "ends");
        String kind = row.getString("kind");
        return kind == null
                ? new Taken(resource, starts, ends)
                : new Booking(
                        resource,
                        starts,
                        ends,
                        new ResourceKind(kind),
                        new ProjectId(row.getString("project_id")),
                        new LeaseId(row.getObject("lease_id", UUID.class)),
                        new ReservationId(row.getObject("reservation_id", UUID.class)),
                        row.getInt("slots"));
    }

    private static Instant instant(ResultSet row, String column) throws SQLException {
        return row.getObject(column, OffsetDateTime.class).toInstant();
    }

    private static final class Query {

        private final ListBookings question;
        private final BookingConditions conditions;

        Query(ListBookings question) {
            this.question = question;
            conditions =
                    new BookingConditions(
                            question.filter(), question.from(), question.to(), question.asOf());
            conditions.addCondition("what = 'PROMISED'");
            if (question.asker() != null) {
                conditions.setParameter("asker", question.asker().value());
            }
            conditions.setParameter("limit", question.limit() + 1);
        }

        String text() {
            String marker = question.marker();
            String beyond = "true";
            if (marker != null) {
                CalendarMarker last = Page.parseMarker(marker, CalendarMarker::of);
                conditions.setParameter("last_resource", last.resource());
                conditions.setParameter("last_start", last.starts().atOffset(ZoneOffset.UTC));
                conditions.setParameter("last_reservation", last.reservation());
                beyond =
                        "(resource_id, starts, reservation_id)"
                                + " > (:last_resource, :last_start, :last_reservation)";
                // It follows from that condition, and leads to the right place in an index.
                conditions.addCondition("resource_id >= :last_resource");
            }
            String lines =
                    includesOtherProjects()
                            ? ownBookings() + " UNION ALL " + otherProjectsBookings()
                            : ownBookings();
            return "SELECT * FROM (%s) line WHERE %s%s LIMIT :limit"
                    .formatted(lines, beyond, ORDER);
        }

        /** Returns whether the query also shows the bookings of others. */
        private boolean includesOtherProjects() {
            return question.asker() != null
                    && question.asOf() == null
                    && question.filter().lease() == null
                    && question.filter().project() == null;
        }

        private String ownBookings() {
            return """
            SELECT resource_id, starts, ends, kind, project_id, lease_id, reservation_id, slots
            FROM booking WHERE %s%s\
            """
                    .formatted(
                            conditions, question.asker() == null ? "" : " AND project_id = :asker");
        }

        // A page needs at most one resource a line, and the one on which the page before ended.
        private String otherProjectsBookings() {
            return """
            SELECT resource_id, lower(during), upper(during), NULL, NULL, NULL, '%2$s'::uuid, NULL
            FROM (SELECT resource_id, unnest(range_agg(
                      tstzrange(greatest(starts, :from), least(ends, :to)))) AS during
                  FROM booking
                  WHERE %1$s AND project_id <> :asker AND resource_id IN (
                      SELECT DISTINCT resource_id FROM booking WHERE %1$s
                      ORDER BY resource_id LIMIT :limit + 1)
                  GROUP BY resource_id) others\
            """
                    .formatted(conditions, CalendarMarker.NIL_RESERVATION);
        }
    }
}
