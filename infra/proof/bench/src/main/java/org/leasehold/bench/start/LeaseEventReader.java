package org.leasehold.bench.start;

import org.jspecify.annotations.Nullable;
import org.leasehold.bench.site.Database;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The events of leases since a moment, read as they arrive. */
final class LeaseEventReader {

    private static final String NEXT_EVENTS_QUERY =
            """
            SELECT position, stream_id, event_type, recorded_at,
                   (payload #>> '{period,start}')::timestamptz AS starts,
                   (payload #>> '{allocations,0,resource}')::bigint AS resource
            FROM domain_event WHERE position > ? AND stream_type = 'Lease' ORDER BY position
            """;

    private final Database database;
    private final List<Event> events = new ArrayList<>();
    private long position;

    private LeaseEventReader(Database database, long position) {
        this.database = database;
        this.position = position;
    }

    static LeaseEventReader fromNow(Database database) throws SQLException {
        return new LeaseEventReader(
                database,
                database.queryNumber("SELECT coalesce(max(position), 0) FROM domain_event"));
    }

    void readNew() throws SQLException {
        try (Connection connection = database.connect();
                PreparedStatement next = connection.prepareStatement(NEXT_EVENTS_QUERY)) {
            next.setLong(1, position);
            try (ResultSet row = next.executeQuery()) {
                while (row.next()) {
                    position = row.getLong("position");
                    events.add(event(row));
                }
            }
        }
    }

    private static Event event(ResultSet row) throws SQLException {
        OffsetDateTime starts = row.getObject("starts", OffsetDateTime.class);
        return new Event(
                row.getLong("position"),
                row.getString("stream_id"),
                row.getString("event_type"),
                row.getObject("recorded_at", OffsetDateTime.class).toInstant(),
                starts == null ? null : starts.toInstant(),
                row.getLong("resource"));
    }

    Stream<Event> events(String type) {
        return events.stream().filter(event -> event.type.equals(type));
    }

    /**
     * An event of a lease.
     *
     * @param starts the start of the lease; null unless the event contains it
     * @param resource the granted resource; 0 unless the event contains it
     */
    record Event(
            long position,
            String lease,
            String type,
            Instant recordedAt,
            @Nullable Instant starts,
            long resource) {}
}
