package org.leasehold.command.journal;

import org.axonframework.eventhandling.DomainEventData;
import org.axonframework.eventhandling.GlobalSequenceTrackingToken;
import org.axonframework.eventhandling.TrackedEventData;
import org.axonframework.eventhandling.TrackingToken;
import org.axonframework.serialization.SerializedMetaData;
import org.axonframework.serialization.SerializedObject;
import org.axonframework.serialization.SimpleSerializedObject;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;

/** A row of {@code domain_event}, not yet deserialized. */
record StoredEvent(
        long position,
        String id,
        String streamType,
        String stream,
        long sequence,
        String type,
        String version,
        String payload,
        String metadata,
        Instant decidedAt)
        implements DomainEventData<String>, TrackedEventData<String> {

    static final String SELECT =
            """
            SELECT position, event_id, stream_type, stream_id, sequence, event_type, event_version,
                payload, metadata, decided_at
            FROM domain_event
            """;

    static StoredEvent read(ResultSet row, int ignored) throws SQLException {
        return new StoredEvent(
                row.getLong(1),
                row.getString(2),
                row.getString(3),
                row.getString(4),
                row.getLong(5),
                row.getString(6),
                row.getString(7),
                row.getString(8),
                row.getString(9),
                row.getTimestamp(10).toInstant());
    }

    @Override
    public TrackingToken trackingToken() {
        return new GlobalSequenceTrackingToken(position);
    }

    @Override
    public String getEventIdentifier() {
        return id;
    }

    @Override
    public Instant getTimestamp() {
        return decidedAt;
    }

    @Override
    public SerializedObject<String> getMetaData() {
        return new SerializedMetaData<>(metadata, String.class);
    }

    @Override
    public SerializedObject<String> getPayload() {
        return new SimpleSerializedObject<>(payload, String.class, type, version);
    }

    @Override
    public String getType() {
        return streamType;
    }

    @Override
    public String getAggregateIdentifier() {
        return stream;
    }

    @Override
    public long getSequenceNumber() {
        return sequence;
    }
}
