package org.leasehold.command.execution;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.leasehold.command.CommandContext;
import org.leasehold.command.Commands;
import org.leasehold.command.Outcome.Accepted;
import org.leasehold.command.lease.HostOnlyPlugins;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.LeaseCommand.CreateLease;
import org.leasehold.lease.ReservationWish;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.UserId;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.jdbc.datasource.DelegatingDataSource;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import javax.sql.DataSource;

/**
 * Decisions use indexes in tables without statistics, with statements that were planned for empty
 * tables: as on the first day of a database.
 */
class DecisionQueryPlansTest {

    private static final Instant NOW = Instant.parse("2030-01-01T09:59:00Z");
    private static final int SMALL = 5;
    private static final int LARGE = 505;

    /** After this, the driver has prepared each statement, and the database has one plan of it. */
    private static final int PREPARED = 30;

    private final EventStoreDatabase database = new EventStoreDatabase();
    private final Watched watched = new Watched();
    private AnnotationConfigApplicationContext node;
    private int leases;

    @BeforeEach
    void start() {
        database.jdbc().sql("ALTER TABLE resource SET (autovacuum_enabled = false)").update();
        node = database.watchedNodeWithLeases(new HostOnlyPlugins(), 0, watched::of);
    }

    @AfterEach
    void stop() {
        node.close();
        database.close();
    }

    @Test
    void a_decision_reads_no_more_resource_rows_in_a_larger_inventory() {
        enrol(1, SMALL);
        for (int i = 0; i < PREPARED; i++) {
            create();
        }
        Map<String, Long> before = watched.reads;
        assertThat(before).containsKey("resource");

        enrol(SMALL + 1, LARGE);
        // The node reads the hosts.
        create();
        create();

        assertThat(watched.reads.get("resource")).isLessThanOrEqualTo(before.get("resource"));
    }

    private void enrol(int from, int through) {
        database.jdbc()
                .sql(
                        """
                        INSERT INTO resource (resource_id, kind, name, state, attributes,
                                              capabilities, created_at)
                        SELECT id, 'physical:host', 'host-' || id, 'ENROLLED',
                               '{"vcpus": 64, "memory_mb": 65536}', '{}', now()
                        FROM generate_series(:from, :through) id
                        """)
                .param("from", from)
                .param("through", through)
                .update();
    }

    /** Creates a lease at another time for each call. */
    private void create() {
        leases++;
        Instant start = NOW.plus(Duration.ofDays(leases));
        CreateLease lease =
                new CreateLease(
                        new LeaseId(UUID.randomUUID()),
                        new ProjectId("p"),
                        new UserId("u"),
                        "n",
                        start,
                        start.plus(Duration.ofHours(1)),
                        null,
                        List.of(
                                new ReservationWish(
                                        new ReservationId(UUID.randomUUID()),
                                        ResourceKind.PHYSICAL_HOST,
                                        HostOnlyPlugins.parameters(1, 1))),
                        null,
                        null);
        CommandContext context =
                new CommandContext(NOW, "req", "u", "p", List.of("member"), "basic", null);
        assertThat(node.getBean(Commands.class).send(lease, context)).isInstanceOf(Accepted.class);
    }

    /** Connections that count, at each commit, the rows that its transaction has read. */
    private static final class Watched {

        private static final String CLAIMED = "rows of claim that are new";

        private volatile Map<String, Long> reads = Map.of();

        DataSource of(DataSource source) {
            return new DelegatingDataSource(source) {
                @Override
                public Connection getConnection() throws SQLException {
                    return watched(super.getConnection());
                }
            };
        }

        private Connection watched(Connection real) {
            Map<String, Long> before = new HashMap<>();
            return (Connection)
                    Proxy.newProxyInstance(
                            Connection.class.getClassLoader(),
                            new Class<?>[] {Connection.class},
                            (_, method, arguments) -> {
                                if (method.getName().equals("commit")) {
                                    committing(read(real), before);
                                }
                                Object result = call(real, method, arguments);
                                if (method.getName().equals("setAutoCommit")
                                        && !real.getAutoCommit()) {
                                    before.clear();
                                    before.putAll(read(real));
                                }
                                return result;
                            });
        }

        private static @Nullable Object call(
                Connection real, Method method, @Nullable Object @Nullable [] arguments)
                throws Throwable {
            try {
                return method.invoke(real, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }

        /** Counts transactions that claim something. */
        private void committing(Map<String, Long> now, Map<String, Long> before) {
            before.forEach((table, rows) -> now.merge(table, -rows, Long::sum));
            if (now.getOrDefault(CLAIMED, 0L) > 0) {
                reads = now;
            }
        }

        /** Reads counts that the database has not published yet, maybe of others. */
        private static Map<String, Long> read(Connection connection) throws SQLException {
            Map<String, Long> read = new HashMap<>();
            try (Statement statement = connection.createStatement();
                    ResultSet rows =
                            statement.executeQuery(
                                    """
                                    SELECT relname, n_tup_ins,
                                           coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0)
                                    FROM pg_stat_xact_user_tables
                                    """)) {
                while (rows.next()) {
                    read.put(rows.getString(1), rows.getLong(3));
                    if (rows.getString(1).equals("claim")) {
                        read.put(CLAIMED, rows.getLong(2));
                    }
                }
            }
            return read;
        }
    }
}
