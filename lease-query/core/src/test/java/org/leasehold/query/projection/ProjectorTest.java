package org.leasehold.query.projection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.leasehold.history.RecordedEvent;
import org.leasehold.query.rebuild.Rebuild;

import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;

class ProjectorTest {

    private static final String TALLY = "tally";

    private static EventDatabase database;

    private final PostgresProjectionOffsets projections =
            new PostgresProjectionOffsets(database.client());

    @BeforeAll
    static void start() {
        database = new EventDatabase();
    }

    @AfterAll
    static void stop() {
        database.close();
    }

    @BeforeEach
    void empty() {
        database.jdbc()
                .execute(
                        """
                        TRUNCATE domain_event RESTART IDENTITY;
                        DELETE FROM projection;
                        INSERT INTO projection VALUES ('tally', 0), ('other', 0);
                        DROP TABLE IF EXISTS tally;
                        CREATE TABLE tally (
                            place bigint GENERATED ALWAYS AS IDENTITY, position bigint NOT NULL);
                        CREATE INDEX tally_position ON tally (position);
                        """);
    }

    @AfterEach
    void close() {
        projections.close();
    }

    /** A projection that records its events: twice if it gets them twice. */
    private static class Tally implements Projection {

        @Override
        public String name() {
            return TALLY;
        }

        @Override
        public List<String> tables() {
            return List.of(TALLY);
        }

        @Override
        public void apply(List<RecordedEvent> events, UnaryOperator<String> table) {
            for (RecordedEvent event : events) {
                database.jdbc()
                        .update(
                                "INSERT INTO %s (position) VALUES (?)"
                                        .formatted(table.apply(TALLY)),
                                event.position());
            }
        }
    }

    @Test
    void a_projector_applies_each_event_once_in_order() {
        happen(5);
        Projector projector = projector(new Tally());

        assertThat(projector.applyNextBatch()).hasValue(5);
        assertThat(projector.applyNextBatch()).hasValue(5);
        happen(2);
        assertThat(projector.applyNextBatch()).hasValue(7);

        assertThat(tally()).isEqualTo(upTo(7));
        assertThat(projections.position(TALLY)).isEqualTo(7);
    }

    @Test
    void a_failed_batch_is_rolled_back_with_the_offset() {
        happen(3);
        Projector dying =
                projector(
                        new Tally() {
                            @Override
                            public void apply(
                                    List<RecordedEvent> events, UnaryOperator<String> table) {
                                super.apply(events, table);
                                throw new IllegalStateException("killed");
                            }
                        });

        assertThatThrownBy(dying::applyNextBatch).hasMessage("killed");

        assertThat(tally()).isEmpty();
        assertThat(projections.position(TALLY)).isZero();
        assertThat(projector(new Tally()).applyNextBatch()).hasValue(3);
        assertThat(tally()).isEqualTo(upTo(3));
    }

    @Test
    void two_nodes_on_one_database_apply_each_event_once() throws Exception {
        Projectors one = projectors(new Tally());
        Projectors other = projectors(new Tally());
        one.start();
        other.start();
        try {
            for (int i = 0; i < 40; i++) {
                happen(5);
            }
            until(() -> projections.position(TALLY) == 200);
        } finally {
            one.stop(Duration.ofSeconds(10));
            other.stop(Duration.ofSeconds(10));
        }

        assertThat(tally()).isEqualTo(upTo(200));
    }

    @Test
    void a_failing_projection_does_not_stop_others_and_recovers_later() throws Exception {
        AtomicBoolean broken = new AtomicBoolean(true);
        AtomicInteger others = new AtomicInteger();
        Projection other =
                new Projection() {
                    @Override
                    public String name() {
                        return "other";
                    }

                    @Override
                    public List<String> tables() {
                        return List.of();
                    }

                    @Override
                    public void apply(List<RecordedEvent> events, UnaryOperator<String> table) {
                        others.addAndGet(events.size());
                    }
                };
        Projection breaking =
                new Tally() {
                    @Override
                    public void apply(List<RecordedEvent> events, UnaryOperator<String> table) {
                        if (broken.get()) {
                            throw new IllegalStateException("broken");
                        }
                        super.apply(events, table);
                    }
                };
        Projectors projectors = projectors(breaking, other);
        happen(4);
        projectors.start();
        try {
            until(() -> projections.position("other") == 4);
            until(() -> projectors.failing().equals(Set.of(TALLY)));
            assertThat(tally()).isEmpty();

            broken.set(false);

            until(() -> projections.position(TALLY) == 4);
            until(() -> projectors.failing().isEmpty());
        } finally {
            projectors.stop(Duration.ofSeconds(10));
        }
        assertThat(tally()).isEqualTo(upTo(4));
        assertThat(others).hasValue(4);
    }

    @Test
    void a_projector_waits_while_another_node_locks_the_offset() throws Exception {
        happen(3);
        Projectors projectors = projectors(new Tally());
        try (Connection frozen = database.dataSource().getConnection();
                Statement statement = frozen.createStatement()) {
            frozen.setAutoCommit(false);
            statement.execute("SELECT * FROM projection WHERE name = 'tally' FOR UPDATE");
            assertThat(projector(new Tally()).applyNextBatch()).isEmpty();
            projectors.start();
            assertThat(projections.await(TALLY, 3, Duration.ofMillis(300))).isZero();

            frozen.rollback();

            assertThat(projections.await(TALLY, 3, Duration.ofSeconds(20))).isEqualTo(3);
        } finally {
            projectors.stop(Duration.ofSeconds(10));
        }
        assertThat(tally()).isEqualTo(upTo(3));
    }

    @Test
    void a_projector_with_a_backlog_continues_without_a_pause() throws Exception {
        happen(EventDatabase.AT_ONCE + 1);
        Projectors projectors =
                projectors(
                        new Tally() {
                            @Override
                            public Duration pauseAfterBatch() {
                                return Duration.ofHours(1);
                            }
                        });

        projectors.start();
        try {
            until(() -> projections.position(TALLY) == EventDatabase.AT_ONCE + 1);
        } finally {
            projectors.stop(Duration.ofSeconds(10));
        }
    }

    @Test
    void a_waiter_is_woken_when_the_same_process_reaches_the_position() throws Exception {
        try (ExecutorService waiters = Executors.newSingleThreadExecutor()) {
            Future<Long> waiting =
                    waiters.submit(() -> projections.await(TALLY, 7, Duration.ofSeconds(20)));
            until(
                    () -> {
                        // The database has another value, and is polled meanwhile.
                        projections.updatePosition(TALLY, 7);
                        return waiting.isDone();
                    });

            assertThat(waiting.get()).isEqualTo(7);
        }
    }

    @Test
    void a_projector_applies_events_only_between_start_and_stop() throws Exception {
        Projectors projectors = projectors(new Tally());
        happen(1);
        assertThat(projections.await(TALLY, 1, Duration.ofMillis(200))).isZero();
        projectors.start();
        until(() -> projections.position(TALLY) == 1);
        projectors.stop(Duration.ofSeconds(10));

        happen(1);

        assertThat(projections.await(TALLY, 2, Duration.ofMillis(200))).isEqualTo(1);
    }

    @Test
    void a_rebuild_repairs_a_table_while_events_are_applied() throws Exception {
        Projectors projectors = projectors(new Tally());
        happen(100);
        projectors.start();
        AtomicBoolean enough = new AtomicBoolean();
        try (ExecutorService writer = Executors.newSingleThreadExecutor()) {
            until(() -> projections.position(TALLY) == 100);
            database.jdbc().execute("DELETE FROM tally WHERE position % 3 = 0");
            Future<?> writing =
                    writer.submit(
                            () -> {
                                while (!enough.get()) {
                                    happen(1);
                                }
                            });
            try {
                rebuild();
                rebuild();
            } finally {
                enough.set(true);
            }
            writing.get();
            // Otherwise nothing was written meanwhile, and the test proves nothing.
            assertThat(database.head()).isGreaterThan(100);
            until(() -> projections.position(TALLY) == database.head());
        } finally {
            projectors.stop(Duration.ofSeconds(10));
        }

        assertThat(tally()).isEqualTo(upTo(database.head()));
    }

    private static void rebuild() {
        new Rebuild(database.dataSource(), database.transactionManager(), database)
                .run(List.of(new RebuildableProjection(database.jdbc(), new Tally())), _ -> {});
    }

    private Projector projector(Projection projection) {
        return new Projector(
                projection,
                database,
                database.dataSource(),
                database.transactionManager(),
                projections::updatePosition);
    }

    private Projectors projectors(Projection... projections) {
        List<Projector> each = new ArrayList<>();
        for (Projection projection : projections) {
            each.add(projector(projection));
        }
        return new Projectors(each);
    }

    private static void happen(int times) {
        for (int i = 0; i < times; i++) {
            database.append("Lease", "a", "LeaseRenamed", "{}", "{}");
        }
    }

    /** Returns the events in the order in which they were recorded. */
    private static List<Long> tally() {
        return database.jdbc()
                .queryForList("SELECT position FROM tally ORDER BY place", Long.class);
    }

    private static List<Long> upTo(long last) {
        return LongStream.rangeClosed(1, last).boxed().toList();
    }

    private static void until(BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).isLessThan(end);
            Thread.sleep(10);
        }
    }
}
