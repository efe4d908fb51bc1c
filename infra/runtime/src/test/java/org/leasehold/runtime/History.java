package org.leasehold.runtime;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;

/** The stored events, as whoever reads only the database sees them. */
final class History {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private History() {}

    static List<Event> read(DatabaseAddress database) throws SQLException {
        List<Event> events = new ArrayList<>();
        try (Connection connection =
                        DriverManager.getConnection(
                                database.url(), database.user(), database.password());
                Statement statement = connection.createStatement();
                ResultSet row =
                        statement.executeQuery(
                                """
                                SELECT position, stream_id, event_type, payload, decided_at, recorded_at
                                FROM domain_event ORDER BY position
                                """)) {
            while (row.next()) {
                events.add(
                        new Event(
                                row.getLong(1),
                                row.getString(2),
                                row.getString(3),
                                JSON.readTree(row.getString(4)),
                                row.getObject(5, OffsetDateTime.class).toInstant(),
                                row.getObject(6, OffsetDateTime.class).toInstant()));
            }
        }
        return events;
    }

    /**
     * One row.
     *
     * @param decidedAt the time that the decision went by
     * @param recordedAt the database's own time
     */
    record Event(
            long position,
            String stream,
            String type,
            JsonNode payload,
            Instant decidedAt,
            Instant recordedAt) {

        /** Whether both were decided together: stored in one transaction, all or none. */
        boolean isTogetherWith(Event other) {
            return stream.equals(other.stream) && decidedAt.equals(other.decidedAt);
        }

        Event with(JsonNode otherPayload) {
            return new Event(position, stream, type, otherPayload, decidedAt, recordedAt);
        }
    }
}
