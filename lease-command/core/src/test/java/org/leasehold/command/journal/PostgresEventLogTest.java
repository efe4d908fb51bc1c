package org.leasehold.command.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.leasehold.command.execution.EventStoreDatabase;
import org.leasehold.history.RecordedEvent;
import org.leasehold.history.RecordedEvent.Unreadable;
import org.leasehold.inventory.ResourceEvent.ResourceEnabled;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.LeaseEvent.LeaseRenamed;
import org.leasehold.vocabulary.LeaseId;

import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.LongStream;

class PostgresEventLogTest {

    private static final Instant NOON = Instant.parse("2030-01-01T12:00:00Z");

    /** More than one batch. */
    private static final int LEASES = 4_000;

    private static final int EVENTS = 3 * LEASES;

    private static EventStoreDatabase database;

    private final PostgresEventLog log =
            new PostgresEventLog(new EventCatalog(), EventJson.mapper());

    @BeforeAll
    static void start() {
        database = new EventStoreDatabase();
    }

    @AfterAll
    static void stop() throws IOException {
        database.close();
    }

    /** Renames each lease three times, but never twice in a row. */
    @BeforeEach
    void rename() {
        database.jdbc().sql("TRUNCATE domain_event RESTART IDENTITY").update();
        database.jdbc()
                .sql(
                        """
                        INSERT INTO domain_event (event_id, stream_type, stream_id, sequence,
                            event_type, event_version, payload, metadata, decided_at)
                        SELECT gen_random_uuid(), 'Lease', l.id, s, 'LeaseRenamed', 1,
                            jsonb_build_object('leaseId', l.id, 'name', s::text), '{}', ?
                        FROM generate_series(0, 2) s, generate_series(1, ?) n,
                            LATERAL (SELECT md5(n::text)::uuid::text AS id) l
                        ORDER BY s, n
                        """)
                .param(java.sql.Timestamp.from(NOON))
                .param(LEASES)
                .update();
    }

    @Test
    void all_events_are_read_once_and_in_order() throws SQLException {
        List<RecordedEvent> read = new ArrayList<>();
        try (Connection connection = database.connect()) {
            assertThat(log.replay(connection, 0, read::addAll)).isEqualTo(EVENTS);
        }

        assertThat(read)
                .extracting(RecordedEvent::position)
                .containsExactlyElementsOf(LongStream.rangeClosed(1, EVENTS).boxed().toList());
        RecordedEvent last = read.getLast();
        assertThat(last.event()).isEqualTo(new LeaseRenamed(LeaseId.of(last.stream()), "2"));
        assertThat(last.sequence()).isEqualTo(2);
        assertThat(last.decidedAt()).isEqualTo(NOON);
    }

    @Test
    void a_replay_continues_after_the_given_position() throws SQLException {
        List<RecordedEvent> read = new ArrayList<>();
        try (Connection connection = database.connect()) {
            assertThat(log.replay(connection, EVENTS - 2, read::addAll)).isEqualTo(EVENTS);
            assertThat(read).hasSize(2);
            assertThat(log.replay(connection, EVENTS, read::addAll)).isEqualTo(EVENTS);
            assertThat(read).hasSize(2);
        }
    }

    @Test
    void a_replay_fails_at_an_unreadable_event() throws SQLException {
        spoil(EVENTS);
        try (Connection connection = database.connect()) {
            assertThatThrownBy(() -> log.replay(connection, 0, _ -> {}))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("event " + EVENTS + ", LeasePainted");
        }
    }

    @Test
    void a_failing_consumer_stops_the_replay() throws SQLException {
        try (Connection connection = database.connect()) {
            assertThatThrownBy(
                            () ->
                                    log.replay(
                                            connection,
                                            0,
                                            _ -> {
                                                throw new SQLException("enough");
                                            }))
                    .hasMessage("enough");
            assertThat(connection.isValid(1)).isTrue();
        }
    }

    @Test
    void a_stream_is_read_up_to_the_given_position() throws SQLException {
        try (Connection connection = database.connect()) {
            List<RecordedEvent> first = new ArrayList<>();
            log.replay(connection, 0, first::addAll);
            String stream = first.getFirst().stream();
            long second = LEASES + first.getFirst().position();

            assertThat(log.read(connection, stream, 0)).isEmpty();
            assertThat(log.read(connection, stream, second - 1))
                    .extracting(RecordedEvent::sequence)
                    .containsExactly(0L);
            assertThat(log.read(connection, stream, second))
                    .extracting(RecordedEvent::position)
                    .containsExactly(first.getFirst().position(), second);
            assertThat(log.read(connection, stream, Long.MAX_VALUE)).hasSize(3);
            assertThat(log.read(connection, "nobody's", Long.MAX_VALUE)).isEmpty();
            assertThat(log.read(connection, List.of(stream, "nobody's"), second))
                    .isEqualTo(log.read(connection, stream, second));
        }
    }

    @Test
    void an_unreadable_event_fails_the_reading_of_the_stream() throws SQLException {
        spoil(1);
        try (Connection connection = database.connect()) {
            String stream =
                    database.jdbc()
                            .sql("SELECT stream_id FROM domain_event WHERE position = 1")
                            .query(String.class)
                            .single();
            assertThatThrownBy(() -> log.read(connection, stream, EVENTS))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("event 1, LeasePainted");
        }
    }

    @Test
    void each_lease_is_read_completely_including_unreadable_events() throws SQLException {
        spoil(1);
        List<String> leases = new ArrayList<>();
        List<Object> unreadable = new ArrayList<>();
        try (Connection connection = database.connect()) {
            connection.setAutoCommit(false);
            log.readLeases(
                    connection,
                    life -> {
                        assertThat(life)
                                .extracting(RecordedEvent::sequence)
                                .containsExactly(0L, 1L, 2L);
                        leases.add(life.getFirst().stream());
                        life.stream()
                                .map(RecordedEvent::event)
                                .filter(Unreadable.class::isInstance)
                                .forEach(unreadable::add);
                    });
        }
        assertThat(leases).hasSize(LEASES).isSorted().doesNotHaveDuplicates();
        assertThat(unreadable)
                .singleElement()
                .isInstanceOfSatisfying(
                        Unreadable.class, e -> assertThat(e.type()).isEqualTo("LeasePainted"));
    }

    @Test
    void prior_events_are_read_in_order() throws SQLException {
        List<RecordedEvent> read = new ArrayList<>();
        try (Connection connection = database.connect()) {
            connection.setAutoCommit(false);
            log.readPriorEvents(connection, NOON, 0, read::addAll);
            assertThat(read).isEmpty();
            log.readPriorEvents(connection, NOON, EVENTS, read::addAll);
        }

        assertThat(read)
                .extracting(RecordedEvent::position)
                .containsExactlyElementsOf(LongStream.rangeClosed(1, EVENTS).boxed().toList());
    }

    @Test
    void the_inventory_contains_only_events_of_resources() throws SQLException {
        database.jdbc()
                .sql(
                        """
                        INSERT INTO domain_event (event_id, stream_type, stream_id, sequence,
                            event_type, event_version, payload, metadata, decided_at)
                        VALUES (?, 'Resource', '7', 0, 'ResourceEnabled', 1, '{"resourceId": 7}',
                            '{}', now())
                        """)
                .param(UUID.randomUUID())
                .update();
        try (Connection connection = database.connect()) {
            assertThat(log.readInventory(connection))
                    .extracting(RecordedEvent::event)
                    .containsExactly(new ResourceEnabled(new ResourceId(7)));
        }
    }

    private static void spoil(long position) {
        database.jdbc()
                .sql("UPDATE domain_event SET event_type = 'LeasePainted' WHERE position = ?")
                .param(position)
                .update();
    }
}
