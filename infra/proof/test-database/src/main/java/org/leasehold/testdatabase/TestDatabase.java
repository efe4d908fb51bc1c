package org.leasehold.testdatabase;

import com.zaxxer.hikari.HikariDataSource;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

import javax.sql.DataSource;

/**
 * A separate database on the one PostgreSQL server that all tests of this JVM share.
 *
 * <p>A test class creates one before its first test and closes it after its last. The other
 * databases of the server belong to classes that run at the same time: a query of {@code pg_locks}
 * or {@code pg_stat_activity} must select this database.
 */
public final class TestDatabase implements AutoCloseable {

    private static final Map<String, String> TEMPLATE_DATABASES = new ConcurrentHashMap<>();

    private final String name;
    private final HikariDataSource pool;

    private TestDatabase(String template) {
        name = TestPostgresServer.shared().create(template);
        pool = createPool(name, 100);
    }

    /** Creates a database without tables. */
    public static TestDatabase empty() {
        return new TestDatabase("template0");
    }

    /**
     * Creates a database with tables: a copy of a template.
     *
     * @param template the name of the migration; one name always means the same tables
     * @param migration creates the tables, once per JVM and template
     */
    public static TestDatabase migrated(String template, Consumer<DataSource> migration) {
        return new TestDatabase(
                TEMPLATE_DATABASES.computeIfAbsent(template, _ -> createTemplate(migration)));
    }

    private static String createTemplate(Consumer<DataSource> migration) {
        String name = TestPostgresServer.shared().create("template0");
        try (HikariDataSource pool = createPool(name, 2)) {
            migration.accept(pool);
        }
        return name;
    }

    private static HikariDataSource createPool(String database, int size) {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl(TestPostgresServer.shared().url(database));
        pool.setMaximumPoolSize(size);
        pool.setMinimumIdle(0);
        return pool;
    }

    /** Returns a pool of connections, which opens one when no other is idle. */
    public DataSource dataSource() {
        return pool;
    }

    /** Returns the database's address with its user, for other processes. It needs no password. */
    public String url() {
        return TestPostgresServer.shared().url(name);
    }

    /** Closes all connections, also those of other processes, and drops the database. */
    @Override
    public void close() {
        pool.close();
        TestPostgresServer.shared().drop(name);
    }
}
