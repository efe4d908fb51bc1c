package org.leasehold.query.seal;

import org.leasehold.seal.EventEnvelope;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.UUID;

/** The stored events, unchanged: decoding would convert them to this version. */
final class EventEnvelopeMapper {

    /** The columns of {@code domain_event} that make an envelope. */
    static final String COLUMNS =
            """
            e.position, e.event_id, e.stream_type, e.stream_id, e.sequence, e.event_type,
            e.event_version, e.payload, e.metadata, e.decided_at, e.recorded_at\
            """;

    private EventEnvelopeMapper() {}

    static EventEnvelope of(ResultSet row) throws SQLException {
        return new EventEnvelope(
                row.getLong("position"),
                row.getObject("event_id", UUID.class),
                row.getString("stream_type"),
                row.getString("stream_id"),
                row.getLong("sequence"),
                row.getString("event_type"),
                row.getInt("event_version"),
                row.getString("payload"),
                row.getString("metadata"),
                instant(row, "decided_at"),
                instant(row, "recorded_at"));
    }

    private static Instant instant(ResultSet row, String column) throws SQLException {
        return row.getObject(column, OffsetDateTime.class).toInstant();
    }
}
