package org.leasehold.runtime;

import org.leasehold.history.EventLog;
import org.leasehold.runtime.database.DatabaseAddress;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The stored events, read from the database alone. */
final class EventReader {

    private EventReader() {}

    static List<Event> read(EventLog log, DatabaseAddress database) throws SQLException {
        List<Event> events = new ArrayList<>();
        try (Connection connection =
                DriverManager.getConnection(database.url(), database.user(), database.password())) {
            // One snapshot, which does not include events that are stored meanwhile.
            connection.setAutoCommit(false);
            connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            Map<Long, Instant> recorded = recorded(connection);
            log.replay(
                    connection,
                    0,
                    batch ->
                            batch.forEach(
                                    event ->
                                            events.add(
                                                    new Event(
                                                            event.position(),
                                                            event.stream(),
                                                            event.event(),
                                                            event.decidedAt(),
                                                            Objects.requireNonNull(
                                                                    recorded.get(
                                                                            event.position()))))));
        }
        return events;
    }

    private static Map<Long, Instant> recorded(Connection connection) throws SQLException {
        Map<Long, Instant> recorded = new HashMap<>();
        try (Statement statement = connection.createStatement();
                ResultSet row =
                        statement.executeQuery("SELECT position, recorded_at FROM domain_event")) {
            while (row.next()) {
                recorded.put(row.getLong(1), row.getObject(2, OffsetDateTime.class).toInstant());
            }
        }
        return recorded;
    }

    /**
     * A stored event.
     *
     * @param event the payload
     * @param decidedAt the time that the decision was based on
     * @param recordedAt the database's time
     */
    record Event(
            long position, String stream, Object event, Instant decidedAt, Instant recordedAt) {

        /** Returns true if both were decided together: stored in one transaction, all or none. */
        boolean isTogetherWith(Event other) {
            return stream.equals(other.stream) && decidedAt.equals(other.decidedAt);
        }

        Event with(Object another) {
            return new Event(position, stream, another, decidedAt, recordedAt);
        }
    }
}
