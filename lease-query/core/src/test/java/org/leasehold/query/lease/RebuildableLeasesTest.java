package org.leasehold.query.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.leasehold.query.lease.LeaseFixtures.ASTRONOMY;
import static org.leasehold.query.lease.LeaseFixtures.NOON;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.leasehold.lease.EndCause;
import org.leasehold.lease.LeaseEvent.LeaseEnded;
import org.leasehold.lease.LeaseEvent.LeaseEnding;
import org.leasehold.lease.LeaseEvent.LeaseRenamed;
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

/** Tests rebuilds of the read model of leases, beside reads and writes. */
class RebuildableLeasesTest extends LeaseRebuildFixture {

    private Rebuild rebuild;
    private RebuildableLeases leases;

    @BeforeEach
    void createRebuild() {
        rebuild = new Rebuild(database.dataSource(), database.transactionManager(), journal);
        leases = new RebuildableLeases(database.jdbc(), new LeaseViewCodec(EventJson.mapper()));
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

    private List<String> wrongCounts() {
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

    private void awaitBlocked() {
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
}
