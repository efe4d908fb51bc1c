package org.leasehold.resource.simulator;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** A PostgreSQL server for the tests, with a new database for each cloud. */
final class CloudDatabase implements AutoCloseable {

    private static final String USER = "postgres";

    private final EmbeddedPostgres server;
    private final AtomicInteger databases = new AtomicInteger();

    CloudDatabase() throws IOException {
        this.server = EmbeddedPostgres.builder().start();
    }

    /** The plugin's settings for a database that is empty yet. */
    Map<String, String> newCloud() throws SQLException {
        String name = "cloud_" + databases.incrementAndGet();
        try (Connection connection = server.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE " + name);
        }
        Map<String, String> settings = new HashMap<>();
        settings.put("url", server.getJdbcUrl(USER, name));
        settings.put("user", USER);
        settings.put("password", USER);
        settings.put("hosts", "8");
        return settings;
    }

    static SimulatedCloud connect(Map<String, String> settings) {
        return SimulatedCloud.connect(
                settings.get("url"), settings.get("user"), settings.get("password"));
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
