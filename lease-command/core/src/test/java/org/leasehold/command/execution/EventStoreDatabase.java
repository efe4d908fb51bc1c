package org.leasehold.command.execution;

import static org.assertj.core.api.Assertions.assertThat;

import org.leasehold.resource.Plugins;
import org.leasehold.testdatabase.TestDatabase;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

import javax.sql.DataSource;

/** The event store on a real PostgreSQL. */
public final class EventStoreDatabase implements AutoCloseable {

    private static final List<String> MIGRATIONS =
            List.of(
                    "V1__event_store.sql",
                    "V2__calendar.sql",
                    "V24__shares.sql",
                    "V26__holders_are_not_found_by_the_constraint.sql",
                    "V33__denied_access.sql",
                    "V41__request_origins.sql",
                    "V47__attempts_in_time.sql",
                    "V50__kept_answers.sql",
                    "V51__unfinished_leases.sql",
                    "V59__privileged_reads.sql",
                    "V61__retried_leases.sql");

    private final TestDatabase database =
            TestDatabase.migrated("journal", EventStoreDatabase::migrate);
    private final DataSource source = database.dataSource();

    private static void migrate(DataSource empty) {
        MIGRATIONS.forEach(file -> new JdbcTemplate(empty).execute(read("/db/migration/" + file)));
    }

    private static String read(String name) {
        try (InputStream file = EventStoreDatabase.class.getResourceAsStream(name)) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public JdbcClient jdbc() {
        return JdbcClient.create(source);
    }

    public Connection connect() throws SQLException {
        return source.getConnection();
    }

    /** Returns the number of transactions that wait for the lock of all appends. */
    long waitingForTheLock() {
        return jdbc().sql(
                        """
                        SELECT count(*) FROM pg_locks JOIN pg_database d
                            ON d.oid = database AND datname = current_database()
                        WHERE locktype = 'advisory' AND NOT granted
                        """)
                .query(Long.class)
                .single();
    }

    /** Waits for at most 30 s. */
    static void await(BooleanSupplier condition) {
        long end = System.nanoTime() + 30_000_000_000L;
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).isLessThan(end);
            Thread.onSpinWait();
        }
    }

    /**
     * Creates an event store as in production, with these aggregates; each call is another node.
     */
    public AnnotationConfigApplicationContext node(AggregateDefinition<?>... shells) {
        AnnotationConfigApplicationContext node = node(source);
        for (AggregateDefinition<?> shell : shells) {
            node.registerBean(shell.type().getSimpleName(), AggregateDefinition.class, () -> shell);
        }
        node.refresh();
        return node;
    }

    /** Creates a node with the production leases, and a limit per project. */
    AnnotationConfigApplicationContext nodeWithLeases(Plugins plugins, int maxLeases) {
        return nodeWithLeases(plugins, maxLeases, source, _ -> {});
    }

    /** Creates such a node with some beans replaced. */
    AnnotationConfigApplicationContext nodeWithLeases(
            Plugins plugins, int maxLeases, Consumer<AnnotationConfigApplicationContext> change) {
        return nodeWithLeases(plugins, maxLeases, source, change);
    }

    /** Creates such a node on observed connections. */
    AnnotationConfigApplicationContext watchedNodeWithLeases(
            Plugins plugins, int maxLeases, UnaryOperator<DataSource> watched) {
        return nodeWithLeases(plugins, maxLeases, watched.apply(source), _ -> {});
    }

    private static AnnotationConfigApplicationContext nodeWithLeases(
            Plugins plugins,
            int maxLeases,
            DataSource connections,
            Consumer<AnnotationConfigApplicationContext> change) {
        AnnotationConfigApplicationContext node = node(connections);
        node.getEnvironment()
                .getPropertySources()
                .addFirst(
                        new MapPropertySource(
                                "limit", Map.of("leasehold.lease.most-per-project", maxLeases)));
        node.registerBean(Plugins.class, () -> plugins);
        node.scan("org.leasehold.command.lease");
        change.accept(node);
        node.refresh();
        return node;
    }

    private static AnnotationConfigApplicationContext node(DataSource connections) {
        AnnotationConfigApplicationContext node = new AnnotationConfigApplicationContext();
        node.registerBean(
                DataSource.class, () -> connections, bean -> bean.setDestroyMethodName(""));
        node.registerBean(JdbcTemplate.class, () -> new JdbcTemplate(connections));
        node.registerBean(JdbcClient.class, () -> JdbcClient.create(connections));
        node.registerBean(
                PlatformTransactionManager.class,
                () -> new DataSourceTransactionManager(connections));
        node.registerBean(Clock.class, Clock::systemUTC);
        node.scan(
                "org.leasehold.command.execution",
                "org.leasehold.command.journal",
                "org.leasehold.command.calendar");
        return node;
    }

    @Override
    public void close() {
        database.close();
    }
}
