package org.leasehold.query.lease;

import org.axonframework.eventhandling.DomainEventMessage;
import org.axonframework.eventhandling.EventMessage;
import org.axonframework.eventhandling.GenericDomainEventMessage;
import org.axonframework.messaging.MetaData;
import org.leasehold.history.EventLog;
import org.leasehold.history.EventStreams;
import org.leasehold.history.RecordedEvent;
import org.leasehold.lease.LeaseEvent;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;

import tools.jackson.databind.json.JsonMapper;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * An event log for leases: events are appended under the lock, and the table of leases is written
 * in the same transaction.
 */
final class LeaseEventLog implements EventLog, EventStreams {

    private static final Map<String, Class<?>> EVENTS =
            Arrays.stream(LeaseEvent.class.getPermittedSubclasses())
                    .collect(Collectors.toMap(Class::getSimpleName, Function.identity()));

    private final JdbcTemplate jdbc;
    private final TransactionTemplate transactions;
    private final JsonMapper mapper = EventJson.mapper();
    private final LeaseEventSubscriber subscription;
    private final ReadYourWritesCache justWritten = new ReadYourWritesCache();

    LeaseEventLog(Database database) {
        jdbc = database.jdbc();
        transactions = database.transactions();
        subscription =
                new LeaseEventSubscriber(
                        new LeaseTable(jdbc, new LeaseViewCodec(mapper), "lease"), justWritten);
    }

    ReadYourWritesCache justWritten() {
        return justWritten;
    }

    /** Appends one command's events after those of its lease. */
    void append(Instant when, LeaseEvent... events) {
        append(when, Map.of(), events);
    }

    void append(Instant when, Map<String, ?> metadata, LeaseEvent... events) {
        transactions.executeWithoutResult(
                _ -> {
                    jdbc.execute("SELECT pg_advisory_xact_lock(1)");
                    Map<String, Long> next = new HashMap<>();
                    List<DomainEventMessage<?>> messages = new ArrayList<>();
                    for (LeaseEvent event : events) {
                        String stream = event.leaseId().toString();
                        long sequence = next.computeIfAbsent(stream, this::length);
                        next.put(stream, sequence + 1);
                        messages.add(message(stream, sequence, event, metadata, when));
                    }
                    appendEvents(messages);
                    subscription.accept(messages);
                });
    }

    private static DomainEventMessage<LeaseEvent> message(
            String stream, long sequence, LeaseEvent event, Map<String, ?> metadata, Instant when) {
        return new GenericDomainEventMessage<>(
                "Lease",
                stream,
                sequence,
                event,
                MetaData.from(metadata),
                UUID.randomUUID().toString(),
                when);
    }

    private long length(String stream) {
        return jdbc.queryForObject(
                "SELECT count(*) FROM domain_event WHERE stream_id = ?", Long.class, stream);
    }

    private void appendEvents(List<? extends EventMessage<?>> events) {
        for (EventMessage<?> event : events) {
            DomainEventMessage<?> message = (DomainEventMessage<?>) event;
            jdbc.update(
                    """
                    INSERT INTO domain_event (event_id, stream_type, stream_id, sequence,
                        event_type, event_version, payload, metadata, decided_at, recorded_at)
                    VALUES (?::uuid, ?, ?, ?, ?, 1, ?::jsonb, ?::jsonb, ?, ?)
                    """,
                    message.getIdentifier(),
                    message.getType(),
                    message.getAggregateIdentifier(),
                    message.getSequenceNumber(),
                    message.getPayloadType().getSimpleName(),
                    mapper.writeValueAsString(message.getPayload()),
                    mapper.writeValueAsString(Map.copyOf(message.getMetaData())),
                    Timestamp.from(message.getTimestamp()),
                    Timestamp.from(message.getTimestamp()));
        }
    }

    @Override
    public long replay(Connection connection, long after, Reader reader) throws SQLException {
        long last = after;
        List<RecordedEvent> batch = readAfter(connection, last, 100);
        while (!batch.isEmpty()) {
            reader.accept(batch);
            last = batch.getLast().position();
            batch = readAfter(connection, last, 100);
        }
        return last;
    }

    @Override
    public List<RecordedEvent> readAfter(Connection connection, long position, int limit)
            throws SQLException {
        List<RecordedEvent> batch = new ArrayList<>();
        try (PreparedStatement select =
                connection.prepareStatement(
                        "SELECT * FROM domain_event WHERE position > ? ORDER BY position LIMIT"
                                + " ?")) {
            select.setLong(1, position);
            select.setInt(2, limit);
            try (ResultSet row = select.executeQuery()) {
                while (row.next()) {
                    batch.add(recorded(row));
                }
            }
        }
        return batch;
    }

    @Override
    public List<RecordedEvent> read(Connection connection, String stream, long last)
            throws SQLException {
        try (PreparedStatement select =
                connection.prepareStatement(
                        "SELECT * FROM domain_event WHERE stream_id = ? AND position <= ?"
                                + " ORDER BY sequence")) {
            select.setString(1, stream);
            select.setLong(2, last);
            List<RecordedEvent> life = new ArrayList<>();
            try (ResultSet row = select.executeQuery()) {
                while (row.next()) {
                    life.add(recorded(row));
                }
            }
            return life;
        }
    }

    @Override
    public List<RecordedEvent> read(Connection connection, Collection<String> streams, long last)
            throws SQLException {
        List<RecordedEvent> lives = new ArrayList<>();
        for (String stream : streams) {
            lives.addAll(read(connection, stream, last));
        }
        return lives;
    }

    private RecordedEvent recorded(ResultSet row) throws SQLException {
        return new RecordedEvent(
                row.getLong("position"),
                row.getString("stream_id"),
                row.getLong("sequence"),
                mapper.readValue(row.getString("payload"), EVENTS.get(row.getString("event_type"))),
                row.getTimestamp("decided_at").toInstant());
    }

    @Override
    public void readPriorEvents(Connection connection, Instant until, long last, Reader reader) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void readLeases(Connection connection, Reader reader) {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<RecordedEvent> readInventory(Connection connection) {
        throw new UnsupportedOperationException();
    }
}
