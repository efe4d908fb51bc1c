package org.leasehold.command.calendar.stored;

import org.flywaydb.core.Flyway;
import org.jspecify.annotations.Nullable;
import org.leasehold.command.calendar.CalendarContention;
import org.leasehold.command.calendar.timeline.FreeResourceTimeline.Claim;
import org.leasehold.inventory.ResourceId;
import org.leasehold.testdatabase.TestDatabase;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.Share;
import org.springframework.dao.PessimisticLockingFailureException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import tools.jackson.databind.json.JsonMapper;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import javax.sql.DataSource;

/** The tables of a calendar in PostgreSQL: a test changes and reads them without the calendar. */
abstract class PostgresCalendarTables implements CalendarFixture {

    // Classes run at the same time, each on a thread. The databases end with the JVM.
    static final ThreadLocal<DataSource> MIGRATED =
            ThreadLocal.withInitial(PostgresCalendarTables::migrated);

    public final JdbcTemplate jdbc;
    public final TransactionTemplate transactions;

    /** Empties the tables: every test begins without rows. */
    PostgresCalendarTables() {
        this(new JdbcTemplate(MIGRATED.get()));
        jdbc.execute("TRUNCATE resource, claim, holder, domain_event RESTART IDENTITY");
    }

    PostgresCalendarTables(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
        transactions = new TransactionTemplate(new JdbcTransactionManager(jdbc.getDataSource()));
    }

    @SuppressWarnings("resource")
    private static DataSource migrated() {
        TestDatabase database = TestDatabase.migrated("calendar", PostgresCalendarTables::migrate);
        // This wrapper prevents that a context with this bean closes the database for all others.
        return new DelegatingDataSource(database.dataSource());
    }

    private static void migrate(DataSource empty) {
        Flyway.configure().dataSource(empty).locations("classpath:db/migration").load().migrate();
    }

    @Override
    public void enrol(long id, Map<String, String> capabilities) {
        jdbc.update(
                """
                INSERT INTO resource (resource_id, kind, name, state, attributes, capabilities,
                                      created_at)
                VALUES (?, 'physical:host', ?, 'ENROLLED',
                        '{"vcpus": 64, "memory_mb": 65536}', ?::jsonb, now())
                """,
                id,
                "host-" + id,
                json(capabilities));
    }

    private static String json(Map<String, String> capabilities) {
        return capabilities.entrySet().stream()
                .map(e -> "\"%s\":\"%s\"".formatted(e.getKey(), e.getValue()))
                .collect(Collectors.joining(",", "{", "}"));
    }

    /** Disables a host as the inventory does: it takes the lock first. */
    @Override
    public void disable(long id, String reason) {
        transactions.executeWithoutResult(
                _ -> {
                    jdbc.queryForList("SELECT FROM resource WHERE resource_id = ? FOR UPDATE", id);
                    jdbc.update(
                            """
                            UPDATE resource SET state = 'DISABLED', disabled_reason = ?
                            WHERE resource_id = ?
                            """,
                            reason,
                            id);
                });
    }

    /** Runs a command in a transaction, and retries it as the event store does. */
    @Override
    public <T> T command(Supplier<T> body) {
        for (int attempt = 1; ; attempt++) {
            try {
                return transactions.execute(_ -> body.get());
            } catch (CalendarContention | PessimisticLockingFailureException conflict) {
                if (attempt == 100) {
                    throw conflict;
                }
            }
        }
    }

    @Override
    public List<Claim> claims(ReservationId reservation) {
        return claims("WHERE reservation_id = '" + reservation + "'");
    }

    @Override
    public void relabel(long id, Map<String, String> capabilities) {
        jdbc.update(
                "UPDATE resource SET capabilities = ?::jsonb WHERE resource_id = ?",
                json(capabilities),
                id);
    }

    @Override
    public void describe(long id, Map<String, ?> attributes) {
        jdbc.update(
                "UPDATE resource SET attributes = ?::jsonb WHERE resource_id = ?",
                new JsonMapper().writeValueAsString(attributes),
                id);
    }

    @Override
    public void enable(long id) {
        jdbc.update(
                "UPDATE resource SET state = 'ENROLLED', disabled_reason = NULL"
                        + " WHERE resource_id = ?",
                id);
    }

    @Override
    public void happen() {
        jdbc.update(
                """
                INSERT INTO domain_event (event_id, stream_type, stream_id, sequence, event_type,
                                          event_version, payload, metadata, decided_at)
                SELECT gen_random_uuid(), 'Lease', 'x', count(*), 'X', 1, '{}', '{}', now()
                FROM domain_event
                """);
    }

    @Override
    public List<Long> holders() {
        return jdbc.queryForList("SELECT resource_id FROM holder ORDER BY 1", Long.class);
    }

    @Override
    public List<String> reliesOn(ReservationId reservation) {
        return jdbc.queryForList(
                "SELECT DISTINCT unnest(relies_on) FROM claim WHERE reservation_id = ? ORDER BY 1",
                String.class,
                reservation.value());
    }

    public List<Claim> claims(String where) {
        return jdbc.query(
                "SELECT resource_id, lower(during), upper(during), share::text FROM claim "
                        + where
                        + " ORDER BY resource_id, during",
                (row, _) ->
                        new Claim(
                                new ResourceId(row.getLong(1)),
                                new LeasePeriod(instant(row, 2), instant(row, 3)),
                                share(row.getString(4))));
    }

    private static @Nullable Share share(@Nullable String json) {
        return json == null ? null : new JsonMapper().readValue(json, Share.class);
    }

    private static Instant instant(ResultSet row, int column) throws SQLException {
        return row.getTimestamp(column).toInstant();
    }

    /** Returns the number of pairs of claims on one whole resource that overlap; it must be 0. */
    public int overlaps() {
        return jdbc.queryForObject(
                """
                SELECT count(*) FROM claim a JOIN claim b
                    ON a.resource_id = b.resource_id AND a.during && b.during
                       AND a.reservation_id < b.reservation_id AND a.occupancy <> b.occupancy
                """,
                Integer.class);
    }

    /**
     * Returns the resources with claims that the constraint no longer covers: see decision record
     * 27.
     */
    List<Long> overlooked() {
        return transactions.execute(
                _ -> {
                    jdbc.execute("SET LOCAL enable_seqscan = off");
                    jdbc.execute("SET LOCAL enable_bitmapscan = off");
                    return jdbc.queryForList(
                            """
                            SELECT resource_id FROM resource r
                            WHERE (SELECT count(*) FROM claim
                                   WHERE resource_id = r.resource_id AND during && '(,)'
                                     AND within = '00000000-0000-0000-0000-000000000000')
                               <> (SELECT count(*) FROM claim
                                   WHERE resource_id + 0 = r.resource_id)
                            """,
                            Long.class);
                });
    }
}
