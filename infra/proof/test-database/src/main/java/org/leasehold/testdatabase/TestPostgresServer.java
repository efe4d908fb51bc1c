package org.leasehold.testdatabase;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The PostgreSQL server of this JVM's tests: it starts with the first database and stops with the
 * JVM. The system property {@code leasehold.test.postgres} names another server instead, by its
 * address and user, to test with another version.
 *
 * <p>Its data are in memory if possible, and nothing waits for a disk: a test of durability needs
 * its own server.
 */
final class TestPostgresServer {

    private static final Path MEMORY_DIRECTORY = Path.of("/dev/shm");
    private static final long MIN_FREE_BYTES = 1L << 30;
    private static final int MAX_STARTS = 5;

    private final String address;

    // Other JVMs may use the same server.
    private final String prefix = "test_" + UUID.randomUUID().toString().substring(0, 8) + "_";
    private final AtomicInteger databases = new AtomicInteger();

    private TestPostgresServer(String address) {
        this.address = address;
    }

    /** Returns the server. The first call starts it. */
    static TestPostgresServer shared() {
        return Shared.SERVER;
    }

    private static final class Shared {
        static final TestPostgresServer SERVER = new TestPostgresServer(address());

        private static String address() {
            String given = System.getProperty("leasehold.test.postgres", "");
            try {
                return given.isEmpty() ? start().getJdbcUrl("postgres", "postgres") : given;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** Starts a server; a hook stops it and deletes its folder when the JVM ends. */
    private static EmbeddedPostgres start() throws IOException, SQLException {
        for (int start = 1; ; start++) {
            Path data = Files.createTempDirectory(dataParent(), "leasehold-test-postgres-");
            EmbeddedPostgres server =
                    EmbeddedPostgres.builder()
                            .setDataDirectory(data)
                            .setServerConfig("max_connections", "800")
                            .setServerConfig("fsync", "off")
                            .setServerConfig("full_page_writes", "off")
                            .setServerConfig("deadlock_timeout", "100ms")
                            // As in the product's own server: compiling a query takes longer than
                            // running it.
                            .setServerConfig("jit", "off")
                            // Its workers would run through all databases without a pause.
                            .setServerConfig("autovacuum", "off")
                            .start();
            if (isIn(data, server.getJdbcUrl("postgres", "postgres"))) {
                return server;
            }
            // Another server took the port between its choice and its use, and responded.
            server.close();
            if (start == MAX_STARTS) {
                throw new IOException("no port for a PostgreSQL after " + start + " starts");
            }
        }
    }

    private static Path dataParent() throws IOException {
        boolean fits =
                Files.isWritable(MEMORY_DIRECTORY)
                        && Files.getFileStore(MEMORY_DIRECTORY).getUsableSpace() >= MIN_FREE_BYTES;
        return fits ? MEMORY_DIRECTORY : Path.of(System.getProperty("java.io.tmpdir"));
    }

    private static boolean isIn(Path data, String url) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet folder = statement.executeQuery("SHOW data_directory")) {
            return folder.next() && data.equals(Path.of(folder.getString(1)));
        }
    }

    String create(String template) {
        String name = prefix + databases.incrementAndGet();
        execute("CREATE DATABASE " + name + " TEMPLATE " + template);
        return name;
    }

    void drop(String name) {
        execute("DROP DATABASE " + name + " WITH (FORCE)");
    }

    String url(String name) {
        return address.replaceFirst("(//[^/]+/)[^?]*", "$1" + name);
    }

    private void execute(String sql) {
        try (Connection connection = DriverManager.getConnection(address);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
