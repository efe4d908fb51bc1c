package org.leasehold.query.projection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.query.booking.BookingEventLog.host;
import static org.leasehold.query.booking.BookingEventLog.window;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.leasehold.history.RecordedEvent;
import org.leasehold.query.booking.BookingEventLog;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.FullyQualifiedAnnotationBeanNameGenerator;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;

import java.time.Clock;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

import javax.sql.DataSource;

/**
 * A test that projections find rows by an index in tables without statistics. Their statements were
 * planned when the tables were empty, as on the first day of a database.
 */
class ProjectionPlansTest {

    private static final int HOSTS = 4;

    /** So many executions make the driver prepare and the database plan each statement. */
    private static final int PREPARED = 30;

    private static final int MANY = 90;

    private final BookingEventLog journal = new BookingEventLog();
    private final AnnotationConfigApplicationContext product =
            new AnnotationConfigApplicationContext();

    @BeforeEach
    void assemble() {
        product.setBeanNameGenerator(FullyQualifiedAnnotationBeanNameGenerator.INSTANCE);
        product.registerBean(DataSource.class, journal.database::dataSource);
        product.registerBean(JdbcClient.class, journal.database::client);
        product.registerBean(EventDatabase.class, () -> journal.database);
        product.registerBean(
                PlatformTransactionManager.class, journal.database::transactionManager);
        product.registerBean(Clock.class, Clock::systemUTC);
        product.scan("org.leasehold.query");
        // Only the projections are needed.
        product.addBeanFactoryPostProcessor(
                beans -> {
                    for (String name : beans.getBeanDefinitionNames()) {
                        beans.getBeanDefinition(name).setLazyInit(true);
                    }
                });
        product.refresh();
    }

    @AfterEach
    void close() {
        product.close();
    }

    @Test
    void a_projection_reads_no_more_rows_when_the_tables_grow() {
        Collection<Projection> projections = product.getBeansOfType(Projection.class).values();
        assertThat(projections).extracting(Projection::name).contains("capacity", "bookings");
        List<Watched> watched = projections.stream().map(this::watch).toList();
        for (int host = 1; host <= HOSTS; host++) {
            journal.enrol(host, "physical:host");
        }
        live(1, PREPARED, watched);
        List<Map<String, Long>> before = watched.stream().map(Watched::reads).toList();

        live(PREPARED + 1, MANY, watched);

        for (int i = 0; i < watched.size(); i++) {
            Map<String, Long> readsBefore = before.get(i);
            assertThat(watched.get(i).reads())
                    .as(watched.get(i).name())
                    .allSatisfy(
                            (table, rows) ->
                                    assertThat(rows)
                                            .as(table)
                                            .isLessThanOrEqualTo(
                                                    readsBefore.getOrDefault(table, 0L)));
        }
    }

    /** Appends leases, each with one more host in the inventory, as equal batches. */
    private void live(int from, int through, List<Watched> watched) {
        for (int lease = from; lease <= through; lease++) {
            int start = 120 * lease;
            journal.enrol(HOSTS + lease, "physical:host");
            journal.book(lease, "astronomy", window(start, start + 30), host(1 + lease % HOSTS));
            journal.start(start, lease);
            watched.forEach(journal.database::follow);
        }
    }

    private Watched watch(Projection projection) {
        return new Watched(projection, journal.database.client());
    }

    /** A projection, with the rows that its last batch read, by table. */
    private static final class Watched implements Projection {

        private final Projection projection;
        private final JdbcClient jdbc;
        private Map<String, Long> reads = new HashMap<>();

        Watched(Projection projection, JdbcClient jdbc) {
            this.projection = projection;
            this.jdbc = jdbc;
        }

        Map<String, Long> reads() {
            return reads;
        }

        @Override
        public String name() {
            return projection.name();
        }

        @Override
        public List<String> tables() {
            return projection.tables();
        }

        @Override
        public void apply(List<RecordedEvent> events, UnaryOperator<String> table) {
            Map<String, Long> before = read();
            projection.apply(events, table);
            reads = read();
            before.forEach((name, rows) -> reads.merge(name, -rows, Long::sum));
        }

        /** Returns the rows read since the database's last count, perhaps by earlier batches. */
        private Map<String, Long> read() {
            Map<String, Long> now = new HashMap<>();
            jdbc.sql(
                            """
                            SELECT relname, coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0)
                            FROM pg_stat_xact_user_tables
                            """)
                    .query(
                            row -> {
                                now.put(row.getString(1), row.getLong(2));
                            });
            return now;
        }
    }
}
