package org.leasehold.saga.fakes;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.leasehold.testdatabase.TestDatabase;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

import javax.sql.DataSource;

/** A real PostgreSQL with the tables of this module. */
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
                    "V48__calls_in_time.sql",
                    "V53__tasks_wait_for_plugins.sql",
                    "V62__early_attempts.sql",
                    "V64__default_leases.sql");

    /** The table of another module, which a migration reads. */
    private static final String EVENTS =
            """
            CREATE TABLE domain_event (
                event_id uuid, stream_id text, sequence bigint, event_type text,
                payload jsonb, metadata jsonb, decided_at timestamptz)
            """;

    // Classes run at the same time, each on a thread. The databases end with the JVM.
    private static final ThreadLocal<TestDatabase> MIGRATED =
            ThreadLocal.withInitial(
                    () -> TestDatabase.migrated("saga", empty -> migrate(empty, MIGRATIONS)));

    private Database() {}

    private static void migrate(DataSource empty, List<String> migrations) {
        JdbcTemplate jdbc = new JdbcTemplate(empty);
        if (migrations.contains(MIGRATIONS.getFirst())) {
            jdbc.execute(EVENTS);
        }
        migrations.forEach(migration -> jdbc.execute(read(migration)));
    }

    /** Returns a new database with all migrations, and with data from before one of them. */
    public static TestDatabase upgraded(String migration, Consumer<JdbcTemplate> before) {
        TestDatabase database = TestDatabase.empty();
        int next = MIGRATIONS.indexOf(migration);
        migrate(database.dataSource(), MIGRATIONS.subList(0, next));
        before.accept(new JdbcTemplate(database.dataSource()));
        migrate(database.dataSource(), MIGRATIONS.subList(next, MIGRATIONS.size()));
        return database;
    }

    private static String read(String migration) {
        try (InputStream tables =
                Database.class.getResourceAsStream("/db/migration/" + migration)) {
            return new String(Objects.requireNonNull(tables).readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the empty database of this thread's tests. */
    public static DataSource empty() {
        DataSource database = MIGRATED.get().dataSource();
        new JdbcTemplate(database)
                .execute(
                        "TRUNCATE timer, plugin_task, token_entry, saga_entry,"
                                + " association_value_entry, waiting, retried_request, node,"
                                + " lease_trust, petition, plugin_call, default_lease");
        // A context in which it is a bean does not close it for all others.
        return new DelegatingDataSource(database);
    }

    /** Returns the address of this thread's database for another process. */
    public static String url() {
        return MIGRATED.get().url();
    }
}
