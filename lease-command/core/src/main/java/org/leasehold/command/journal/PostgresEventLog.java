package org.leasehold.command.journal;

import org.axonframework.serialization.SerializationException;
import org.leasehold.history.EventLog;
import org.leasehold.history.EventStreams;
import org.leasehold.history.RecordedEvent;
import org.leasehold.history.RecordedEvent.Unreadable;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Reads the table {@code domain_event} without Axon, whose messages are not needed here. */
final class PostgresEventLog implements EventLog, EventStreams {

    private static final int BATCH = 5000;

    private static final String SELECT =
            """
            SELECT position, stream_id, sequence, event_type, event_version, payload, decided_at
            FROM domain_event
            """;
    private static final String AFTER = SELECT + "WHERE position > ? ORDER BY position LIMIT ?";

    private static final String PROLOGUE =
            """
            WITH needed AS (
                SELECT stream_id FROM domain_event WHERE position <= ? AND stream_type <> 'Use'
                GROUP BY stream_id
                HAVING NOT bool_or(event_type IN ('LeaseRefused', 'LeaseEnded', 'LeaseDeleted'))
                    OR max((payload #>> '{period,end}')::timestamptz)
                        FILTER (WHERE event_type IN ('LeaseRefused', 'LeaseChangeRefused')) > ?
                    OR max(decided_at) + max((payload ->> 'cleaning')::interval)
                        FILTER (WHERE event_type = 'ReservationGranted') > ?
                UNION
                (SELECT stream_id FROM domain_event
                 WHERE position <= ? AND event_type = 'ReservationGranted'
                 ORDER BY position DESC LIMIT 1))
            """
                    + SELECT
                    + "JOIN needed USING (stream_id) WHERE position <= ? ORDER BY position";

    private static final String LIVES =
            SELECT + "WHERE stream_type = 'Lease' ORDER BY stream_id, sequence";
    private static final String INVENTORY =
            SELECT + "WHERE stream_type <> 'Lease' ORDER BY position";

    private static final String STREAM =
            SELECT + "WHERE stream_id = ? AND position <= ? ORDER BY sequence";
    private static final String STREAMS =
            SELECT + "WHERE stream_id = ANY (?) AND position <= ? ORDER BY stream_id, sequence";

    private final EventCatalog catalog;
    private final Map<Class<?>, ObjectReader> readers = new HashMap<>();

    PostgresEventLog(EventCatalog catalog, JsonMapper json) {
        this.catalog = catalog;
        catalog.entries().forEach(e -> readers.put(e.type(), json.readerFor(e.type())));
    }

    @Override
    public long replay(Connection connection, long after, Reader reader) throws SQLException {
        long last = after;
        try (PreparedStatement next = connection.prepareStatement(AFTER);
                ExecutorService decoding = Executors.newSingleThreadExecutor()) {
            List<RecordedEvent> batch = batch(next, after, BATCH);
            while (!batch.isEmpty()) {
                long position = batch.getLast().position();
                Future<List<RecordedEvent>> following =
                        decoding.submit(() -> batch(next, position, BATCH));
                reader.accept(batch);
                last = position;
                batch = get(following);
            }
        }
        return last;
    }

    @Override
    public List<RecordedEvent> readAfter(Connection connection, long position, int limit)
            throws SQLException {
        try (PreparedStatement next = connection.prepareStatement(AFTER)) {
            return batch(next, position, limit);
        }
    }

    private List<RecordedEvent> batch(PreparedStatement next, long after, int limit)
            throws SQLException {
        next.setLong(1, after);
        next.setInt(2, limit);
        return events(next);
    }

    private List<RecordedEvent> events(PreparedStatement select) throws SQLException {
        List<RecordedEvent> events = new ArrayList<>();
        try (ResultSet rows = select.executeQuery()) {
            while (rows.next()) {
                events.add(readable(rows));
            }
        }
        return events;
    }

    private RecordedEvent readable(ResultSet row) throws SQLException {
        RecordedEvent event = event(row);
        if (event.event() instanceof Unreadable(String type, String reason)) {
            throw new IllegalStateException(
                    "event %s, %s, cannot be read: %s".formatted(event.position(), type, reason));
        }
        return event;
    }

    private static <T> T get(Future<T> future) throws SQLException {
        try {
            return future.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while events are read", e);
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case SQLException failure -> throw failure;
                case RuntimeException failure -> throw failure;
                case null, default -> throw new IllegalStateException(e);
            }
        }
    }

    @Override
    public void readPriorEvents(Connection connection, Instant until, long last, Reader reader)
            throws SQLException {
        OffsetDateTime instant = until.atOffset(ZoneOffset.UTC);
        try (PreparedStatement select = connection.prepareStatement(PROLOGUE)) {
            select.setFetchSize(BATCH);
            select.setLong(1, last);
            select.setObject(2, instant);
            select.setObject(3, instant);
            select.setLong(4, last);
            select.setLong(5, last);
            List<RecordedEvent> batch = new ArrayList<>();
            try (ResultSet rows = select.executeQuery()) {
                while (rows.next()) {
                    batch.add(readable(rows));
                    if (batch.size() == BATCH) {
                        reader.accept(List.copyOf(batch));
                        batch.clear();
                    }
                }
            }
            reader.accept(batch);
        }
    }

    @Override
    public void readLeases(Connection connection, Reader reader) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(LIVES)) {
            select.setFetchSize(BATCH);
            List<RecordedEvent> life = new ArrayList<>();
            try (ResultSet rows = select.executeQuery()) {
                while (rows.next()) {
                    RecordedEvent event = event(rows);
                    if (!life.isEmpty() && !life.getLast().stream().equals(event.stream())) {
                        reader.accept(List.copyOf(life));
                        life.clear();
                    }
                    life.add(event);
                }
            }
            if (!life.isEmpty()) {
                reader.accept(List.copyOf(life));
            }
        }
    }

    @Override
    public List<RecordedEvent> readInventory(Connection connection) throws SQLException {
        List<RecordedEvent> events = new ArrayList<>();
        try (PreparedStatement select = connection.prepareStatement(INVENTORY);
                ResultSet rows = select.executeQuery()) {
            while (rows.next()) {
                events.add(event(rows));
            }
        }
        return events;
    }

    @Override
    public List<RecordedEvent> read(Connection connection, String stream, long last)
            throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(STREAM)) {
            select.setString(1, stream);
            select.setLong(2, last);
            return events(select);
        }
    }

    @Override
    public List<RecordedEvent> read(Connection connection, Collection<String> streams, long last)
            throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(STREAMS)) {
            select.setArray(1, connection.createArrayOf("text", streams.toArray()));
            select.setLong(2, last);
            return events(select);
        }
    }

    private RecordedEvent event(ResultSet row) throws SQLException {
        return new RecordedEvent(
                row.getLong(1),
                row.getString(2),
                row.getLong(3),
                decode(row.getString(4), row.getInt(5), row.getString(6)),
                row.getObject(7, OffsetDateTime.class).toInstant());
    }

    private Object decode(String type, int version, String payload) {
        try {
            Class<?> known = catalog.of(type, version).type();
            return Objects.requireNonNull(readers.get(known)).readValue(payload);
        } catch (SerializationException | JacksonException e) {
            return new Unreadable(type, String.valueOf(e.getMessage()));
        }
    }
}
