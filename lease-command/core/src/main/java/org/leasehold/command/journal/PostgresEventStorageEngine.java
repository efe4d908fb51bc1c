package org.leasehold.command.journal;

import org.axonframework.eventhandling.DomainEventData;
import org.axonframework.eventhandling.DomainEventMessage;
import org.axonframework.eventhandling.EventMessage;
import org.axonframework.eventhandling.EventUtils;
import org.axonframework.eventhandling.GlobalSequenceTrackingToken;
import org.axonframework.eventhandling.TrackedEventData;
import org.axonframework.eventhandling.TrackedEventMessage;
import org.axonframework.eventhandling.TrackingToken;
import org.axonframework.eventsourcing.eventstore.BatchingEventStorageEngine;
import org.axonframework.messaging.unitofwork.CurrentUnitOfWork;
import org.axonframework.messaging.unitofwork.UnitOfWork;
import org.axonframework.serialization.Serializer;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * The table {@code domain_event}. All events of a unit of work are one insert, under a lock until
 * the commit. A reader that has seen a position has therefore seen all earlier ones.
 */
public final class PostgresEventStorageEngine extends BatchingEventStorageEngine
        implements EventTable {

    private static final int BATCH = 500;
    private static final String STREAMS_KEY =
            PostgresEventStorageEngine.class.getName() + ".streams";

    /** Both statements travel together, so that the lock is not held for another round trip. */
    private static final String APPEND =
            """
            SELECT pg_advisory_xact_lock(1);
            INSERT INTO domain_event (event_id, stream_type, stream_id, sequence, event_type,
                event_version, payload, metadata, decided_at)
            SELECT event_id, stream_type, stream_id, sequence, event_type,
                event_version, payload::jsonb, metadata::jsonb, decided_at::timestamptz
            FROM unnest(?::uuid[], ?::text[], ?::text[], ?::bigint[], ?::text[],
                ?::smallint[], ?::text[], ?::text[], ?::text[]) WITH ORDINALITY
                AS event (event_id, stream_type, stream_id, sequence, event_type,
                    event_version, payload, metadata, decided_at, place)
            ORDER BY place
            RETURNING position
            """;

    /**
     * The settings are for the rest of the transaction. To plan the claim of a host for each
     * command takes as long as the claim itself, and the plans are all the same. The database
     * caches them until it analyzes the tables. A plan for empty tables would read all rows of full
     * ones.
     */
    private static final String READ_AHEAD =
            "SET LOCAL plan_cache_mode = force_generic_plan;"
                    + "SET LOCAL enable_seqscan = off;"
                    + StoredEvent.SELECT
                    + "WHERE stream_id = ANY (?) ORDER BY stream_id, sequence";

    private final JdbcTemplate jdbc;
    private final EventCatalog catalog;

    private PostgresEventStorageEngine(Builder builder, JdbcTemplate jdbc, EventCatalog catalog) {
        super(builder);
        this.jdbc = jdbc;
        this.catalog = catalog;
    }

    public static PostgresEventStorageEngine of(
            JdbcTemplate jdbc, EventCatalog catalog, Serializer serializer) {
        Builder builder = new Builder();
        builder.batchSize(BATCH)
                .eventSerializer(serializer)
                .snapshotSerializer(serializer)
                .persistenceExceptionResolver(ConflictClassifier::isDuplicateKey);
        return new PostgresEventStorageEngine(builder, jdbc, catalog);
    }

    @Override
    protected void appendEvents(List<? extends EventMessage<?>> events, Serializer serializer) {
        if (events.isEmpty()) {
            return;
        }
        if (!TransactionSynchronizationManager.isActualTransactionActive()) {
            throw new IllegalStateException("events are appended in a transaction only");
        }
        Columns columns = new Columns();
        for (EventMessage<?> event : events) {
            if (!(event instanceof DomainEventMessage<?> message)) {
                throw new IllegalArgumentException("not an event of a stream: " + event);
            }
            columns.add(message, catalog.of(message.getPayloadType()), serializer);
        }
        try {
            Long position =
                    jdbc.execute(
                            (ConnectionCallback<Long>) connection -> insert(connection, columns));
            CurrentUnitOfWork.ifStarted(unit -> EventTable.recordAppendedPosition(unit, position));
        } catch (DataAccessException e) {
            handlePersistenceException(e, events.getFirst());
        }
    }

    private static Long insert(Connection connection, Columns columns) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(APPEND)) {
            columns.bind(connection, statement);
            statement.execute();
            statement.getMoreResults();
            long last = 0;
            try (ResultSet positions = statement.getResultSet()) {
                while (positions.next()) {
                    last = positions.getLong(1);
                }
            }
            return last;
        }
    }

    @Override
    public void readAhead(UnitOfWork<?> unit, Collection<String> streams) {
        Map<String, List<StoredEvent>> read = new HashMap<>();
        streams.forEach(stream -> read.put(stream, new ArrayList<>()));
        String[] wanted = streams.toArray(String[]::new);
        Objects.requireNonNull(
                        jdbc.execute(
                                (ConnectionCallback<List<StoredEvent>>)
                                        connection -> readAhead(connection, wanted)))
                .forEach(event -> Objects.requireNonNull(read.get(event.stream())).add(event));
        unit.root().resources().put(STREAMS_KEY, read);
    }

    private static List<StoredEvent> readAhead(Connection connection, String[] streams)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(READ_AHEAD)) {
            statement.setArray(1, connection.createArrayOf("text", streams));
            statement.execute();
            // Skips the results of the settings.
            statement.getMoreResults();
            statement.getMoreResults();
            List<StoredEvent> events = new ArrayList<>();
            try (ResultSet rows = statement.getResultSet()) {
                while (rows.next()) {
                    events.add(StoredEvent.read(rows, 0));
                }
            }
            return events;
        }
    }

    private static @Nullable List<StoredEvent> readAhead(String stream) {
        if (!CurrentUnitOfWork.isStarted()) {
            return null;
        }
        Map<String, List<StoredEvent>> read =
                CurrentUnitOfWork.get().root().getResource(STREAMS_KEY);
        return read == null ? null : read.get(stream);
    }

    @Override
    protected Stream<? extends DomainEventData<?>> readEventData(String stream, long first) {
        List<StoredEvent> readAhead = readAhead(stream);
        if (readAhead != null) {
            return readAhead.stream().filter(event -> event.getSequenceNumber() >= first);
        }
        return jdbc
                .query(
                        StoredEvent.SELECT
                                + "WHERE stream_id = ? AND sequence >= ? ORDER BY sequence",
                        StoredEvent::read,
                        stream,
                        first)
                .stream();
    }

    @Override
    protected List<? extends DomainEventData<?>> fetchDomainEvents(
            String stream, long first, int limit) {
        return jdbc.query(
                StoredEvent.SELECT
                        + "WHERE stream_id = ? AND sequence >= ? ORDER BY sequence LIMIT ?",
                StoredEvent::read,
                stream,
                first,
                limit);
    }

    @Override
    public List<TrackedEventMessage<?>> read(long after) {
        return EventUtils.upcastAndDeserializeTrackedEvents(
                        fetchTrackedEvents(new GlobalSequenceTrackingToken(after), BATCH).stream(),
                        getEventSerializer(),
                        upcasterChain)
                .toList();
    }

    @Override
    protected List<? extends TrackedEventData<?>> fetchTrackedEvents(
            @Nullable TrackingToken last, int limit) {
        return jdbc.query(
                StoredEvent.SELECT + "WHERE position > ? ORDER BY position LIMIT ?",
                StoredEvent::read,
                last == null ? 0 : last.position().orElse(0),
                limit);
    }

    @Override
    public Optional<Long> lastSequenceNumberFor(String stream) {
        return Optional.ofNullable(
                jdbc.queryForObject(
                        "SELECT max(sequence) FROM domain_event WHERE stream_id = ?",
                        Long.class,
                        stream));
    }

    @Override
    public TrackingToken createTailToken() {
        return new GlobalSequenceTrackingToken(0);
    }

    @Override
    public TrackingToken createHeadToken() {
        return new GlobalSequenceTrackingToken(head());
    }

    @Override
    public TrackingToken createTokenAt(Instant instant) {
        Long first =
                jdbc.queryForObject(
                        "SELECT min(position) FROM domain_event WHERE recorded_at >= ?",
                        Long.class,
                        Timestamp.from(instant));
        return first == null ? createHeadToken() : new GlobalSequenceTrackingToken(first - 1);
    }

    @Override
    public long head() {
        Long last =
                jdbc.queryForObject(
                        "SELECT coalesce(max(position), 0) FROM domain_event", Long.class);
        return last == null ? 0 : last;
    }

    @Override
    protected void storeSnapshot(DomainEventMessage<?> snapshot, Serializer serializer) {
        throw new UnsupportedOperationException("streams are short: there are no snapshots");
    }

    @Override
    protected Stream<? extends DomainEventData<?>> readSnapshotData(String stream) {
        return Stream.empty();
    }

    private static final class Builder extends BatchingEventStorageEngine.Builder {}

    /** The events in columns: one array per column. */
    private static final class Columns {

        private final List<UUID> ids = new ArrayList<>();
        private final List<String> streamTypes = new ArrayList<>();
        private final List<String> streams = new ArrayList<>();
        private final List<Long> sequences = new ArrayList<>();
        private final List<String> types = new ArrayList<>();
        private final List<Integer> versions = new ArrayList<>();
        private final List<String> payloads = new ArrayList<>();
        private final List<String> metadata = new ArrayList<>();
        private final List<String> decided = new ArrayList<>();

        void add(DomainEventMessage<?> event, EventCatalog.Entry entry, Serializer serializer) {
            ids.add(UUID.fromString(event.getIdentifier()));
            streamTypes.add(entry.stream());
            streams.add(event.getAggregateIdentifier());
            sequences.add(event.getSequenceNumber());
            types.add(entry.name());
            versions.add(entry.version());
            payloads.add(event.serializePayload(serializer, String.class).getData());
            metadata.add(event.serializeMetaData(serializer, String.class).getData());
            decided.add(event.getTimestamp().toString());
        }

        void bind(Connection connection, PreparedStatement statement) throws SQLException {
            statement.setArray(1, connection.createArrayOf("uuid", ids.toArray()));
            statement.setArray(2, connection.createArrayOf("text", streamTypes.toArray()));
            statement.setArray(3, connection.createArrayOf("text", streams.toArray()));
            statement.setArray(4, connection.createArrayOf("bigint", sequences.toArray()));
            statement.setArray(5, connection.createArrayOf("text", types.toArray()));
            statement.setArray(6, connection.createArrayOf("smallint", versions.toArray()));
            statement.setArray(7, connection.createArrayOf("text", payloads.toArray()));
            statement.setArray(8, connection.createArrayOf("text", metadata.toArray()));
            statement.setArray(9, connection.createArrayOf("text", decided.toArray()));
        }
    }
}
