package org.leasehold.saga.fakes;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.zaxxer.hikari.HikariDataSource;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

import javax.sql.DataSource;

/** A real PostgreSQL with the tables of this module, one for all tests of this process. */
public final class Database {

    private static final List<String> MIGRATIONS =
            List.of(
                    "V20__sagas_and_timers.sql",
                    "V21__nodes.sql",
                    "V22__timers_in_batches.sql",
                    "V23__who_waits.sql",
                    "V25__trusts.sql",
                    "V27__petitions.sql",
                    "V29__plugin_calls.sql",
                    "V48__calls_in_time.sql");

    /** Of another module; a migration looks at it. */
    private static final String EVENTS =
            """
            CREATE TABLE domain_event (
                event_id uuid, stream_id text, sequence bigint, event_type text,
                payload jsonb, metadata jsonb, decided_at timestamptz)
            """;

    // Both end with the tests' JVM.
    private static final HikariDataSource POOL = new HikariDataSource();
    private static final EmbeddedPostgres POSTGRES = start();

    private Database() {}

    private static EmbeddedPostgres start() {
        try {
            // As the product asks its own: compiling a query takes longer than to run it.
            EmbeddedPostgres postgres =
                    EmbeddedPostgres.builder().setServerConfig("jit", "off").start();
            POOL.setDataSource(postgres.getPostgresDatabase());
            POOL.setMaximumPoolSize(40);
            POOL.setMinimumIdle(0);
            JdbcTemplate jdbc = new JdbcTemplate(POOL);
            jdbc.execute(EVENTS);
            migrate(jdbc, MIGRATIONS);
            return postgres;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void migrate(JdbcTemplate jdbc, List<String> migrations) throws IOException {
        for (String migration : migrations) {
            jdbc.execute(read(migration));
        }
    }

    /**
     * A database of its own, with what somebody did to it before a migration and those that follow.
     */
    public static JdbcTemplate upgraded(String migration, Consumer<JdbcTemplate> before)
            throws IOException {
        new JdbcTemplate(POSTGRES.getPostgresDatabase()).execute("CREATE DATABASE upgraded");
        JdbcTemplate jdbc = new JdbcTemplate(POSTGRES.getDatabase("postgres", "upgraded"));
        jdbc.execute(EVENTS);
        int next = MIGRATIONS.indexOf(migration);
        migrate(jdbc, MIGRATIONS.subList(0, next));
        before.accept(jdbc);
        migrate(jdbc, MIGRATIONS.subList(next, MIGRATIONS.size()));
        return jdbc;
    }

    private static String read(String migration) throws IOException {
        try (InputStream tables =
                Database.class.getResourceAsStream("/db/migration/" + migration)) {
            return new String(Objects.requireNonNull(tables).readAllBytes(), UTF_8);
        }
    }

    /** The database, with nothing in it. */
    public static DataSource empty() {
        new JdbcTemplate(POOL)
                .execute(
                        "TRUNCATE timer, plugin_task, token_entry, saga_entry,"
                                + " association_value_entry, waiting, node, lease_trust, petition,"
                                + " plugin_call");
        // A context that it is a bean of does not close it for all others.
        return new DelegatingDataSource(POOL);
    }

    /** Where another process finds it. */
    public static String url() {
        return POSTGRES.getJdbcUrl("postgres", "postgres");
    }
}
