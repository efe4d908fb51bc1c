package org.leasehold.runtime;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

import org.flywaydb.core.Flyway;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The PostgreSQL of all tests in this process that prove nothing about disks. Its data is in
 * memory, and each database is a copy of one that was migrated once.
 */
final class MemoryPostgres {

    private static final Path MEMORY = Path.of("/dev/shm");
    private static final String USER = "postgres";
    private static final String TEMPLATE = "migrated";

    /** For several products at a time, of several nodes each. */
    private static final int CONNECTIONS = 500;

    private static final EmbeddedPostgres SERVER = start();
    private static final Map<Path, DatabaseAddress> BY_FOLDER = new ConcurrentHashMap<>();
    private static final AtomicInteger LAST = new AtomicInteger();

    private MemoryPostgres() {}

    /** The database of the products that start on a folder: the same one each time. */
    static DatabaseAddress of(Path folder) {
        return BY_FOLDER.computeIfAbsent(folder.toAbsolutePath(), _ -> migrated());
    }

    /** A database that nobody else has, with the engine's tables. */
    static DatabaseAddress migrated() {
        return create(TEMPLATE);
    }

    /** A database that nobody else has, with nothing in it. */
    static DatabaseAddress empty() {
        return create("template0");
    }

    private static DatabaseAddress create(String template) {
        String name = "test" + LAST.incrementAndGet();
        execute("CREATE DATABASE %s TEMPLATE %s".formatted(name, template));
        return address(name);
    }

    private static EmbeddedPostgres start() {
        try {
            Path data =
                    Files.isWritable(MEMORY)
                            ? Files.createTempDirectory(MEMORY, "leasehold-tests")
                            : Files.createTempDirectory("leasehold-tests");
            return EmbeddedPostgres.builder()
                    .setDataDirectory(data)
                    .setServerConfig("max_connections", Integer.toString(CONNECTIONS))
                    .setServerConfig("listen_addresses", "127.0.0.1")
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException("The tests' PostgreSQL does not start", e);
        }
    }

    static {
        execute("CREATE DATABASE " + TEMPLATE);
        DatabaseAddress template = address(TEMPLATE);
        Flyway.configure()
                .dataSource(template.url(), template.user(), template.password())
                .load()
                .migrate();
    }

    private static DatabaseAddress address(String database) {
        return new DatabaseAddress(
                "jdbc:postgresql://127.0.0.1:%d/%s".formatted(SERVER.getPort(), database),
                USER,
                "",
                () -> {});
    }

    private static synchronized void execute(String sql) {
        try (Connection connection =
                        DriverManager.getConnection(address("postgres").url(), USER, "");
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }
}
