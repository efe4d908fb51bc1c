package org.leasehold.query.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.leasehold.query.lease.LeaseFixtures.ASTRONOMY;
import static org.leasehold.query.lease.LeaseFixtures.NOON;
import static org.leasehold.query.lease.LeaseFixtures.host;
import static org.leasehold.query.lease.LeaseFixtures.hosts;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.EndCause;
import org.leasehold.lease.LeaseEvent.LeaseActivated;
import org.leasehold.lease.LeaseEvent.LeaseDeleted;
import org.leasehold.lease.LeaseEvent.LeaseEnded;
import org.leasehold.lease.LeaseEvent.LeaseEnding;
import org.leasehold.lease.LeaseEvent.LeaseRenamed;
import org.leasehold.lease.LeaseEvent.LeaseStarting;
import org.leasehold.lease.ReservationWish;
import org.leasehold.query.rebuild.Rebuild;
import org.leasehold.vocabulary.LeaseId;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

class RebuildableLeasesTest {

    // The event log does not preserve the order of parameters; neither does a rebuild.
    private static final String ROWS =
            "SELECT lease_id, project_id, status, created_at, view::jsonb::text AS view, name,"
                    + " user_id, starts, ends, kinds::text, unfinished, needs_attention"
                    + " FROM lease ORDER BY lease_id";

    private static Database database;

    private final LeaseEventLog journal = new LeaseEventLog(database);
    private final Rebuild rebuild =
            new Rebuild(database.dataSource(), database.transactionManager(), journal);
    private final RebuildableLeases leases =
            new RebuildableLeases(database.jdbc(), new LeaseViewCodec(EventJson.mapper()));

    @BeforeAll
    static void start() {
        database = new Database();
    }

    @AfterAll
    static void stop() {
        database.close();
    }

    @BeforeEach
    void empty() {
        database.empty();
    }

    @Test
    void a_rebuild_restores_a_damaged_table() {
        for (int i = 0; i < 60; i++) {
            live(i);
        }
        List<Map<String, Object>> before = rows();
        database.jdbc().execute("DELETE FROM lease WHERE status = 'ACTIVE'");
        database.jdbc().execute("UPDATE lease SET status = 'ENDED', view = '{}'");

        rebuild();

        assertThat(rows()).isEqualTo(before).hasSize(40);
    }

    @Test
    void a_check_finds_wrong_lease_counts_and_a_rebuild_corrects_them() {
        for (int i = 0; i < 60; i++) {
            live(i);
        }
        LeaseId over = LeaseFixtures.lease(1);
        journal.append(
                NOON.plusSeconds(99),
                new LeaseEnding(over, EndCause.WINDOW_OVER, List.of()),
                new LeaseEnded(over, EndCause.WINDOW_OVER));
        database.jdbc()
                .execute("INSERT INTO lease_count VALUES ('" + ASTRONOMY + "', 7), ('nobody', 1)");
        assertThat(wrongCounts())
                .containsExactly(
                        "project " + ASTRONOMY + ": 39 unfinished leases, 0 retried, 7, 0",
                        "project nobody: 0 unfinished leases, 0 retried, 1, 0");

        rebuild();

        assertThat(database.jdbc().queryForList("SELECT * FROM lease_count"))
                .containsExactly(
                        Map.of("project_id", ASTRONOMY.value(), "unfinished", 39L, "retried", 0L));
        assertThat(wrongCounts()).isEmpty();
    }

    private static List<String> wrongCounts() {
        return database
                .jdbc()
                .query(
                        LeaseCountRows.COUNTS_MATCH_UNFINISHED_LEASES.violations(),
                        (row, _) ->
                                "%s: %s, %s"
                                        .formatted(
                                                row.getString(1),
                                                row.getString(2),
                                                row.getString(3)))
                .stream()
                .sorted()
                .toList();
    }

    @Test
    void a_migration_counts_the_unfinished_leases() {
        for (int i = 0; i < 60; i++) {
            live(i);
        }
        database.jdbc()
                .execute(
                        "UPDATE lease SET status = 'ENDED' WHERE lease_id IN"
                                + " (SELECT lease_id FROM lease ORDER BY lease_id LIMIT 3)");
        database.jdbc().execute("DROP TABLE lease_count");

        database.countLeases();

        assertThat(database.jdbc().queryForList("SELECT * FROM lease_count"))
                .containsExactly(
                        Map.of("project_id", ASTRONOMY.value(), "unfinished", 37L, "retried", 0L));
    }

    @Test
    void a_migration_fills_the_columns_of_filters() {
        for (int i = 0; i < 60; i++) {
            live(i);
        }
        LeaseId over = LeaseFixtures.lease(1);
        journal.append(NOON.plusSeconds(99), new LeaseEnded(over, EndCause.WINDOW_OVER));
        LeaseId mixed = LeaseFixtures.lease(100);
        journal.append(
                NOON,
                LeaseFixtures.requested(
                        mixed,
                        ASTRONOMY,
                        "Größe \"\\",
                        hosts(LeaseFixtures.reservation(100), 1, 1),
                        new ReservationWish(
                                LeaseFixtures.reservation(101), ResourceKind.VOLUME, Map.of())));
        journal.append(NOON, LeaseFixtures.requested(LeaseFixtures.lease(101), ASTRONOMY, ""));
        List<Map<String, Object>> before = rows();
        database.jdbc()
                .execute(
                        """
                        ALTER TABLE lease DROP COLUMN name, DROP COLUMN user_id,
                            DROP COLUMN starts, DROP COLUMN ends, DROP COLUMN kinds,
                            DROP COLUMN unfinished, DROP COLUMN needs_attention
                        """);

        database.addFilters();

        assertThat(rows()).isEqualTo(before);
        assertThat(indexes()).hasSize(14);
        // From now on, they are ordinary columns.
        journal.append(NOON.plusSeconds(100), new LeaseRenamed(mixed, "renamed"));
        assertThat(rows()).isNotEqualTo(before);
    }

    @Test
    void a_second_rebuild_keeps_the_indexes_and_parameters_of_the_table() {
        live(1);
        List<String> before = indexes();

        rebuild();
        rebuild();

        assertThat(indexes()).isEqualTo(before).hasSize(14);
        assertThat(
                        database.jdbc()
                                .queryForObject(
                                        "SELECT reloptions::text FROM pg_class"
                                                + " WHERE oid = 'lease'::regclass",
                                        String.class))
                .isEqualTo("{fillfactor=75}");
    }

    @Test
    void concurrent_writes_succeed_and_are_kept_during_a_rebuild() throws Exception {
        for (int i = 0; i < 30; i++) {
            live(i);
        }
        AtomicInteger next = new AtomicInteger(1000);
        AtomicBoolean enough = new AtomicBoolean();
        int writers = 4;
        try (ExecutorService threads = Executors.newFixedThreadPool(writers)) {
            CountDownLatch writing = new CountDownLatch(20);
            List<Future<?>> ends = new ArrayList<>();
            for (int i = 0; i < writers; i++) {
                ends.add(
                        threads.submit(
                                () -> {
                                    while (!enough.get()) {
                                        live(next.getAndIncrement());
                                        writing.countDown();
                                    }
                                }));
            }
            int first;
            int last;
            try {
                assertThat(writing.await(30, TimeUnit.SECONDS)).isTrue();
                first = next.get();
                rebuild();
                rebuild();
                last = next.get();
            } finally {
                enough.set(true);
            }
            for (Future<?> end : ends) {
                end.get();
            }
            // Otherwise nothing was written meanwhile, and the test proves nothing.
            assertThat(last).isGreaterThan(first);
        }

        List<Map<String, Object>> written = rows();
        rebuild();
        assertThat(rows()).isEqualTo(written);
    }

    @Test
    void a_rebuild_waits_for_readers_and_allows_writes_meanwhile() throws Exception {
        live(1);
        try (Connection reader = database.dataSource().getConnection();
                Statement statement = reader.createStatement();
                ExecutorService threads = Executors.newSingleThreadExecutor()) {
            reader.setAutoCommit(false);
            statement.execute("SELECT * FROM lease");
            Future<Long> rebuilding = threads.submit(this::rebuild);
            awaitBlocked();

            live(2);

            assertThat(rebuilding.isDone()).isFalse();
            reader.rollback();
            rebuilding.get();
            assertThat(rows()).hasSize(2);
        }
    }

    @Test
    void two_rebuilds_do_not_run_together() throws SQLException {
        try (Connection other = database.dataSource().getConnection();
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.execute("SELECT pg_advisory_xact_lock(10)");

            assertThatThrownBy(this::rebuild)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("already");
        }
    }

    @Test
    void an_append_to_an_incomplete_lease_fails_until_a_rebuild() {
        LeaseId id = LeaseFixtures.lease(1);
        journal.append(NOON, LeaseFixtures.requested(id, ASTRONOMY, "night"));
        database.jdbc().execute("DELETE FROM lease");

        assertThatThrownBy(() -> journal.append(NOON, new LeaseRenamed(id, "day")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("rebuild");
        rebuild();
        journal.append(NOON, new LeaseRenamed(id, "day"));
        assertThat(rows()).hasSize(1);
    }

    private long rebuild() {
        return rebuild.run(List.of(leases), _ -> {});
    }

    @Test
    void a_rebuild_reports_progress() {
        for (int i = 0; i < 60; i++) {
            live(i);
        }
        List<Long> positions = new ArrayList<>();

        long last = rebuild.run(List.of(leases), positions::add);

        assertThat(positions).isSorted().hasSizeGreaterThan(1).endsWith(last);
    }

    @Test
    void a_failed_rebuild_leaves_the_table_unchanged() {
        live(1);
        List<Map<String, Object>> before = rows();
        database.jdbc().execute("UPDATE domain_event SET sequence = 9 WHERE sequence = 2");

        assertThatThrownBy(this::rebuild).hasMessageContaining("event 9 is next");

        assertThat(rows()).isEqualTo(before);
        assertThat(
                        database.jdbc()
                                .queryForList(
                                        "SELECT FROM pg_class WHERE relname LIKE '%rebuilt%'"))
                .isEmpty();
    }

    /** Appends the events of a lease: one in three has ended, one runs, one waits for its start. */
    private void live(int number) {
        LeaseId id = LeaseFixtures.lease(number);
        var reservation = LeaseFixtures.reservation(number);
        journal.append(
                NOON.plusSeconds(number),
                LeaseFixtures.requested(id, ASTRONOMY, "n" + number, hosts(reservation, 1, 2)),
                LeaseFixtures.granted(id, reservation, host(1), host(2)));
        switch (number % 3) {
            case 0 ->
                    journal.append(
                            NOON.plusSeconds(number + 1L),
                            new LeaseEnding(id, EndCause.DELETED, List.of()),
                            new LeaseEnded(id, EndCause.DELETED),
                            new LeaseDeleted(id));
            case 1 ->
                    journal.append(
                            NOON.plusSeconds(number + 1L),
                            new LeaseStarting(id, List.of()),
                            new LeaseActivated(id));
            default ->
                    journal.append(
                            NOON.plusSeconds(number + 1L), new LeaseRenamed(id, "m" + number));
        }
    }

    private static void awaitBlocked() {
        long limit = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (System.nanoTime() < limit) {
            Integer waiting =
                    database.jdbc()
                            .queryForObject(
                                    """
                                    SELECT count(*) FROM pg_locks JOIN pg_database d
                                        ON d.oid = database AND datname = current_database()
                                    WHERE NOT granted AND mode = 'AccessExclusiveLock'
                                    """,
                                    Integer.class);
            if (waiting != null && waiting > 0) {
                return;
            }
            Thread.onSpinWait();
        }
        throw new AssertionError("the rebuild does not wait for the reader");
    }

    private static List<Map<String, Object>> rows() {
        return database.jdbc().queryForList(ROWS);
    }

    private static List<String> indexes() {
        return database.jdbc()
                .queryForList(
                        "SELECT indexdef FROM pg_indexes WHERE tablename = 'lease' ORDER BY 1",
                        String.class);
    }
}
