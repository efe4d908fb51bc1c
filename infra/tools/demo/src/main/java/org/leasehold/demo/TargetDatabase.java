package org.leasehold.demo;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;

import org.flywaydb.core.Flyway;
import org.leasehold.postgres.ConnectionParameters;
import org.leasehold.postgres.DataFolder;
import org.leasehold.postgres.EmbeddedPostgres;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;

import javax.sql.DataSource;

/**
 * The target of the generated event log: a database without a running engine.
 *
 * @param url the URL of a PostgreSQL
 * @param server the server to stop afterwards, if this program started it
 */
record TargetDatabase(String url, String user, String password, Closeable server)
        implements Closeable {

    private static final int MAX_CONNECTIONS = 100;

    /** Returns an external PostgreSQL. */
    static TargetDatabase external(String url, String user, String password) {
        return new TargetDatabase(url, user, password, () -> {});
    }

    /**
     * Starts the embedded database of a future engine in a folder.
     *
     * @throws IllegalStateException if an engine was started there before
     */
    static TargetDatabase embedded(Path folder) throws IOException {
        Path data = folder.toAbsolutePath().resolve("postgres");
        if (Files.exists(data)) {
            throw new IllegalStateException("There is a database already: " + data);
        }
        EmbeddedPostgres postgres =
                EmbeddedPostgres.start(DataFolder.open(folder), MAX_CONNECTIONS, () -> {});
        ConnectionParameters service = postgres.connectionParameters();
        return new TargetDatabase(service.url(), service.user(), service.password(), postgres);
    }

    HikariDataSource connect() {
        HikariConfig pool = new HikariConfig();
        pool.setJdbcUrl(url);
        pool.setUsername(user);
        pool.setPassword(password);
        pool.setMaximumPoolSize(4);
        return new HikariDataSource(pool);
    }

    /**
     * Creates all tables.
     *
     * @throws IllegalStateException if there are events, or an engine uses the database
     */
    static void requireFresh(DataSource connections) throws SQLException {
        // One connection, as in the product: a migration and its entry in the history are one
        // transaction.
        try (SingleConnectionDataSource one =
                new SingleConnectionDataSource(connections.getConnection(), true)) {
            Flyway.configure().dataSource(one).load().migrate();
        }
        JdbcClient jdbc = JdbcClient.create(connections);
        require(
                jdbc.sql("SELECT NOT EXISTS (SELECT FROM domain_event)"),
                "There are events already: a past can only come first");
        require(
                jdbc.sql(
                        "SELECT NOT EXISTS (SELECT FROM node WHERE seen_at > now() - interval '10"
                                + " s')"),
                "An engine works on this database: stop it first");
    }

    private static void require(JdbcClient.StatementSpec condition, String otherwise) {
        if (!condition.query(Boolean.class).single()) {
            throw new IllegalStateException(otherwise);
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
