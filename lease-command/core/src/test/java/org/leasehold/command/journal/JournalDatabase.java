package org.leasehold.command.journal;

import com.zaxxer.hikari.HikariDataSource;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.util.List;
import java.util.UUID;

import javax.sql.DataSource;

/**
 * The journal on a real PostgreSQL: the embedded one, or, to test another version, the server that
 * the system property {@code leasehold.test.postgres} points to.
 */
final class JournalDatabase implements AutoCloseable {

    private static final String SERVER = System.getProperty("leasehold.test.postgres", "");
    private static final List<String> MIGRATIONS =
            List.of(
                    "V1__event_store.sql",
                    "V2__calendar.sql",
                    "V33__denied_access.sql",
                    "V41__request_origins.sql",
                    "V47__attempts_in_time.sql");

    private final Closeable server;
    private final HikariDataSource source;

    JournalDatabase() {
        DataSource administration;
        if (SERVER.isEmpty()) {
            try {
                // As the product asks its own: compiling takes longer than to run.
                EmbeddedPostgres embedded =
                        EmbeddedPostgres.builder().setServerConfig("jit", "off").start();
                server = embedded;
                administration = embedded.getPostgresDatabase();
                source = pool(administration);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        } else {
            server = () -> {};
            String database = "journal_" + UUID.randomUUID().toString().replace('-', '_');
            administration = server(SERVER, "");
            JdbcClient.create(administration).sql("CREATE DATABASE " + database).update();
            source = pool(server(SERVER, database));
        }
        MIGRATIONS.forEach(file -> new JdbcTemplate(source).execute(read("/db/migration/" + file)));
    }

    private static DataSource server(String url, String database) {
        PGSimpleDataSource server = new PGSimpleDataSource();
        server.setUrl(url);
        if (!database.isEmpty()) {
            server.setDatabaseName(database);
        }
        return server;
    }

    private static HikariDataSource pool(DataSource server) {
        HikariDataSource pool = new HikariDataSource();
        pool.setDataSource(server);
        pool.setMaximumPoolSize(40);
        pool.setMinimumIdle(0);
        return pool;
    }

    private static String read(String name) {
        try (InputStream file = JournalDatabase.class.getResourceAsStream(name)) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    JdbcClient jdbc() {
        return JdbcClient.create(source);
    }

    Connection connect() throws SQLException {
        return source.getConnection();
    }

    /** The journal as it runs, with these aggregates; each call is another node. */
    AnnotationConfigApplicationContext node(AggregateShell<?>... shells) {
        AnnotationConfigApplicationContext node = new AnnotationConfigApplicationContext();
        node.registerBean(DataSource.class, () -> source, bean -> bean.setDestroyMethodName(""));
        node.registerBean(JdbcTemplate.class, () -> new JdbcTemplate(source));
        node.registerBean(JdbcClient.class, this::jdbc);
        node.registerBean(
                PlatformTransactionManager.class, () -> new DataSourceTransactionManager(source));
        for (AggregateShell<?> shell : shells) {
            node.registerBean(shell.type().getSimpleName(), AggregateShell.class, () -> shell);
        }
        node.registerBean(Clock.class, Clock::systemUTC);
        node.register(EventLogConfiguration.class, JournalConfiguration.class);
        node.scan("org.leasehold.command.calendar");
        node.refresh();
        return node;
    }

    @Override
    public void close() throws IOException {
        source.close();
        server.close();
    }
}
