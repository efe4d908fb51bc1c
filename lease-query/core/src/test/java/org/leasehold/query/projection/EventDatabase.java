package org.leasehold.query.projection;

import org.leasehold.history.EventLog;
import org.leasehold.history.EventLogTail;
import org.leasehold.history.EventStreams;
import org.leasehold.history.RecordedEvent;
import org.leasehold.testdatabase.TestDatabase;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;

import javax.sql.DataSource;

/** A real PostgreSQL with an event log and the tables of all projections. */
public final class EventDatabase implements EventLog, EventStreams, EventLogTail, AutoCloseable {

    private static final Path JOURNAL =
            Path.of("../../lease-command/core/src/main/resources/db/migration");
    private static final Path VIEWS =
            Path.of("../../lease-query/core/src/main/resources/db/migration");

    private static final List<Path> MIGRATIONS =
            List.of(
                    JOURNAL.resolve("V1__event_store.sql"),
                    JOURNAL.resolve("V41__request_origins.sql"),
                    VIEWS.resolve("V10__lease_view.sql"),
                    VIEWS.resolve("V28__entries.sql"),
                    VIEWS.resolve("V30__bookings.sql"),
                    VIEWS.resolve("V31__seals.sql"),
                    VIEWS.resolve("V34__calendar_feeds.sql"),
                    VIEWS.resolve("V35__capacity.sql"),
                    VIEWS.resolve("V36__audit_subjects.sql"),
                    VIEWS.resolve("V32__publications.sql"),
                    VIEWS.resolve("V37__notifications.sql"),
                    VIEWS.resolve("V38__webhooks.sql"),
                    VIEWS.resolve("V39__more_topics.sql"),
                    VIEWS.resolve("V40__observed_use.sql"),
                    VIEWS.resolve("V43__more_may_be_refused.sql"),
                    VIEWS.resolve("V44__refused_wishes.sql"),
                    VIEWS.resolve("V45__subscription_changes.sql"),
                    VIEWS.resolve("V46__idle_capacity.sql"),
                    VIEWS.resolve("V49__refused_beyond_what_is_kept.sql"),
                    VIEWS.resolve("V55__lease_filters.sql"),
                    VIEWS.resolve("V57__refused_requests.sql"),
                    VIEWS.resolve("V60__faster_lease_filters.sql"));

    static final int AT_ONCE = 2000;

    private final TestDatabase database = TestDatabase.migrated("events", EventDatabase::migrate);
    private final DataSource dataSource = database.dataSource();
    private final SingleConnectionDataSource appending;
    private final BiFunction<String, String, Object> decoding;

    /** Creates a database whose events are not decoded: each is its type's name. */
    public EventDatabase() {
        this((type, _) -> type);
    }

    /**
     * Creates a database with decoded events.
     *
     * @param decoding makes an event from its type's name and its payload
     */
    public EventDatabase(BiFunction<String, String, Object> decoding) {
        this.decoding = decoding;
        try {
            appending = new SingleConnectionDataSource(dataSource.getConnection(), true);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void migrate(DataSource empty) {
        JdbcTemplate jdbc = new JdbcTemplate(empty);
        MIGRATIONS.forEach(file -> jdbc.execute(read(file)));
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public DataSource dataSource() {
        return dataSource;
    }

    /** Returns the address for other processes. */
    public String url() {
        return database.url();
    }

    public JdbcTemplate jdbc() {
        return new JdbcTemplate(dataSource);
    }

    public JdbcClient client() {
        return JdbcClient.create(dataSource);
    }

    public PlatformTransactionManager transactionManager() {
        return new DataSourceTransactionManager(dataSource);
    }

    /** Appends an event to a stream, as a command would. */
    public void append(
            String streamType, String stream, String type, String payload, String metadata) {
        append(streamType, stream, type, payload, metadata, Instant.now());
    }

    /** Appends an event that was decided at an instant. */
    public synchronized void append(
            String streamType,
            String stream,
            String type,
            String payload,
            String metadata,
            Instant decided) {
        JdbcTemplate jdbc = new JdbcTemplate(appending);
        new TransactionTemplate(new DataSourceTransactionManager(appending))
                .executeWithoutResult(
                        _ -> {
                            jdbc.execute("SELECT pg_advisory_xact_lock(1)");
                            jdbc.update(
                                    """
                                    INSERT INTO domain_event (event_id, stream_type,
                                        stream_id, sequence, event_type, event_version,
                                        payload, metadata, decided_at)
                                    SELECT gen_random_uuid(), ?, ?, count(*), ?, 1,
                                        ?::jsonb, ?::jsonb, ?
                                    FROM domain_event WHERE stream_id = ?
                                    """,
                                    streamType,
                                    stream,
                                    type,
                                    payload,
                                    metadata,
                                    decided.atOffset(ZoneOffset.UTC),
                                    stream);
                        });
    }

    @Override
    public long replay(Connection connection, long after, Reader reader) throws SQLException {
        long last = after;
        List<RecordedEvent> batch = readAfter(connection, last, 50);
        while (!batch.isEmpty()) {
            reader.accept(batch);
            last = batch.getLast().position();
            batch = readAfter(connection, last, 50);
        }
        return last;
    }

    @Override
    public List<RecordedEvent> readAfter(Connection connection, long position, int limit)
            throws SQLException {
        try (PreparedStatement select =
                connection.prepareStatement(
                        "SELECT * FROM domain_event WHERE position > ? ORDER BY position LIMIT"
                                + " ?")) {
            select.setLong(1, position);
            select.setInt(2, limit);
            return events(select);
        }
    }

    private List<RecordedEvent> events(PreparedStatement select) throws SQLException {
        List<RecordedEvent> events = new ArrayList<>();
        try (ResultSet row = select.executeQuery()) {
            while (row.next()) {
                events.add(
                        new RecordedEvent(
                                row.getLong("position"),
                                row.getString("stream_id"),
                                row.getLong("sequence"),
                                decoding.apply(
                                        row.getString("event_type"), row.getString("payload")),
                                row.getTimestamp("decided_at").toInstant()));
            }
        }
        return events;
    }

    @Override
    public List<RecordedEvent> read(Connection connection, String stream, long last)
            throws SQLException {
        return read(connection, List.of(stream), last);
    }

    @Override
    public List<RecordedEvent> read(Connection connection, Collection<String> streams, long last)
            throws SQLException {
        try (PreparedStatement select =
                connection.prepareStatement(
                        "SELECT * FROM domain_event WHERE stream_id = ANY (?) AND position <= ?"
                                + " ORDER BY stream_id, sequence")) {
            select.setArray(1, connection.createArrayOf("text", streams.toArray()));
            select.setLong(2, last);
            return events(select);
        }
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

    /** Polls, with a short wait only: the caller polls again. */
    @Override
    public long awaitEventAfter(long after, Duration longest) throws InterruptedException {
        long head = head();
        if (head <= after) {
            Thread.sleep(5);
        }
        return head;
    }

    @Override
    public List<RecordedEvent> readAfter(long position) {
        ConnectionCallback<List<RecordedEvent>> reading =
                connection -> readAfter(connection, position, AT_ONCE);
        return Objects.requireNonNull(jdbc().execute(reading));
    }

    /** Makes a projection apply all existing events. */
    public void follow(Projection projection) {
        Projector projector =
                new Projector(projection, this, dataSource, transactionManager(), (_, _) -> {});
        long head = head();
        while (projector.applyNextBatch().orElse(head) < head) {
            // Continues.
        }
    }

    public long head() {
        return client().sql("SELECT coalesce(max(position), 0) FROM domain_event")
                .query(Long.class)
                .single();
    }

    @Override
    public void close() {
        appending.destroy();
        database.close();
    }
}
