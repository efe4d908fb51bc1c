package org.leasehold.query.capacity;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.Requirement;
import org.leasehold.inventory.Requirement.Comparison;
import org.leasehold.inventory.Requirement.Operator;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.query.capacity.projection.CapacityChangeSql;
import org.leasehold.query.capacity.projection.CapacityProjection;
import org.leasehold.readmodel.capacity.Capacities;
import org.leasehold.readmodel.capacity.Capacities.AskCapacity;
import org.leasehold.readmodel.capacity.Capacities.Series;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * Benchmarks of ninety days of capacity, hour by hour, of hosts in twelve pools. The leases have
 * one host for one half to four hours, at any minute of these days.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 2, time = 5)
@Measurement(iterations = 5, time = 10)
@Fork(1)
public class CapacityBenchmark {

    private static final Instant FROM = Instant.parse("2030-01-01T00:00:00Z");
    private static final Instant TO = FROM.plus(Duration.ofDays(90));

    private static final List<String> TABLES =
            List.of(
                    "V1__event_store",
                    "V10__lease_view",
                    "V28__entries",
                    "V30__bookings",
                    "V35__capacity",
                    "V40__observed_use",
                    "V43__more_may_be_refused",
                    "V44__refused_wishes",
                    "V46__idle_capacity",
                    "V49__refused_beyond_what_is_kept");

    @Param("10000")
    public int hosts;

    @Param("1000000")
    public int leases;

    private @Nullable EmbeddedPostgres postgres;
    private @Nullable Capacities capacities;

    /** Fills the tables as the projection would have done, one event after the other. */
    @Setup
    public final void fill() throws IOException, SQLException {
        EmbeddedPostgres started = EmbeddedPostgres.start();
        postgres = started;
        var connection =
                new SingleConnectionDataSource(started.getPostgresDatabase().getConnection(), true);
        JdbcTemplate jdbc = new JdbcTemplate(connection);
        for (String table : TABLES) {
            jdbc.execute(migration(table));
        }
        String members = "(SELECT *, 1 AS sign FROM capacity_member)";
        String spans = "(SELECT *, 1 AS sign FROM capacity_span)";
        String changes =
                CapacityChangeSql.sumByInstant(
                        CapacityChangeSql.memberEdges(members)
                                + " UNION ALL "
                                + CapacityChangeSql.spanEdges(spans, members),
                        CapacityProjection.POOL);
        String all = filling(changes, CapacityChangeSql.sumByHour("capacity_change"));
        for (String statement : all.split(";\n", -1)) {
            if (!statement.isBlank()) {
                jdbc.execute(statement);
            }
        }
        capacities =
                new PostgresCapacities(
                        JdbcClient.create(connection),
                        new DataSourceTransactionManager(connection));
    }

    private String filling(String changes, String hours) {
        return """
        SET synchronous_commit = off;
        INSERT INTO capacity_pool
        SELECT md5('pool' || n)::uuid, 'physical:host', NULL, 'zone-' || n %% 3,
            jsonb_build_object('gpu', 'model-' || n %% 4)
        FROM generate_series(0, 11) n
        UNION ALL SELECT md5('all')::uuid, 'physical:host', NULL, NULL, NULL;
        INSERT INTO capacity_member
        SELECT n, md5('pool' || n %% 12)::uuid, true, '{"VCPU": 16}', '2029-01-01Z', NULL, n, NULL
        FROM generate_series(1, %1$s) n;
        SELECT setseed(0.5);
        INSERT INTO capacity_span
        SELECT md5('lease' || n)::uuid, md5('reservation' || n)::uuid, 1 + n %% %1$s, 'PROMISED', 1,
            NULL, starts, starts + ceil(random() * 8) * interval '30 minutes'
        FROM generate_series(1, %2$s) n CROSS JOIN LATERAL (
            SELECT '2030-01-01Z'::timestamptz
                + floor(random() * 129600 + 0 * n) * interval '1 minute' AS starts) at;
        INSERT INTO booking
        SELECT lease_id, reservation_id, 'astronomy', resource_id, 'physical:host', what, slots,
            needs, starts, ends, 1000000 + row_number() OVER (), NULL
        FROM capacity_span;
        INSERT INTO capacity_change (%3$s) %4$s;
        INSERT INTO capacity_hour (%5$s) %6$s;
        VACUUM ANALYZE;
        """
                .formatted(
                        hosts,
                        leases,
                        CapacityChangeSql.COLUMNS,
                        changes,
                        CapacityChangeSql.HOUR_COLUMNS,
                        hours);
    }

    private static String migration(String name) throws IOException {
        try (InputStream script =
                Objects.requireNonNull(
                        CapacityBenchmark.class.getResourceAsStream(
                                "/db/migration/" + name + ".sql"))) {
            return new String(script.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @TearDown
    public final void stop() throws IOException {
        Objects.requireNonNull(postgres).close();
    }

    /** Queries all hosts, as one series. */
    @Benchmark
    public final List<Series> allHosts() {
        return ask(Requirement.none(), null, TO, null);
    }

    /** Queries the hosts of one model, by zone. */
    @Benchmark
    public final List<Series> oneModelByZone() {
        return ask(new Comparison(Operator.EQUAL, "gpu", "model-1"), "zone", TO, null);
    }

    /** Queries a week, as known when half of the leases existed. */
    @Benchmark
    public final List<Series> weekAsOfThen() {
        return ask(
                Requirement.none(), null, FROM.plus(Duration.ofDays(7)), 1_000_000L + leases / 2);
    }

    private List<Series> ask(
            Requirement requirement, @Nullable String by, Instant to, @Nullable Long asOf) {
        return Objects.requireNonNull(capacities)
                .findSeries(
                        new AskCapacity(
                                ResourceKind.PHYSICAL_HOST,
                                null,
                                requirement,
                                by,
                                FROM,
                                to,
                                Capacities.BUCKET_UNIT,
                                1,
                                asOf));
    }
}
