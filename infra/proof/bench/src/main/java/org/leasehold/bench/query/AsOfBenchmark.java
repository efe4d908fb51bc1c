package org.leasehold.bench.query;

import static java.util.stream.Collectors.joining;

import org.leasehold.bench.inprocess.InProcessRequest;
import org.leasehold.bench.load.LoadGenerator;
import org.leasehold.bench.load.LoadProfile;
import org.leasehold.bench.load.RandomLeaseWindows;
import org.leasehold.bench.measurement.Benchmark;
import org.leasehold.bench.measurement.BenchmarkMetric;
import org.leasehold.bench.site.BenchmarkSite;

import tools.jackson.databind.json.JsonMapper;

import java.io.IOException;
import java.io.PrintStream;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;

/** The latency of reading a lease as of some instant, among very many events. */
public record AsOfBenchmark(
        BenchmarkSite site,
        List<InProcessRequest.Life> shortLives,
        List<InProcessRequest.Life> many,
        PrintStream out)
        implements Benchmark {

    private static final String NAME = "as-of";
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final int MAX_REQUESTS = 2_000;
    private static final double MAX_P99_MILLIS = 10;

    private static final int LEASES_WITH_SHORT_HISTORY = 5_000;
    private static final int LEASES_WITH_LONG_HISTORY = 8;
    private static final int MAX_CHANGES = 250;

    /** Leases of the audit history, which have eight events each. */
    private static final String SAMPLE_LEASES_QUERY =
            """
            SELECT lease.stream_id
            FROM (SELECT (random() * (SELECT max(position) FROM domain_event))::bigint AS place
                  FROM generate_series(1, %s)) at,
                LATERAL (
                SELECT e.stream_id FROM domain_event e
                WHERE e.position >= place AND e.stream_type = 'Lease' AND e.sequence = 0
                ORDER BY e.position LIMIT 1) lease\
            """
                    .formatted(LEASES_WITH_SHORT_HISTORY);

    /** Creates a benchmark; the warm-up adds the leases. */
    public AsOfBenchmark(BenchmarkSite site, PrintStream out) {
        this(site, new ArrayList<>(), new ArrayList<>(), out);
    }

    @Override
    public void warmUp() throws IOException, SQLException, InterruptedException {
        shortLives.addAll(readLifetimes("few", SAMPLE_LEASES_QUERY));
        many.addAll(readLifetimes("many", createWithManyChanges()));
        round();
    }

    @Override
    public List<BenchmarkMetric> round() throws IOException, InterruptedException {
        List<BenchmarkMetric> figures = new ArrayList<>();
        measure("few events", shortLives, figures);
        measure("many events", many, figures);
        return figures;
    }

    private void measure(
            String name, List<InProcessRequest.Life> lives, List<BenchmarkMetric> figures)
            throws IOException, InterruptedException {
        // A short history is for a quick run only.
        LoadProfile pace =
                LoadProfile.closed(1, Math.min(MAX_REQUESTS, site.settings().events() / 10));
        LoadGenerator.Outcome inside =
                site.engine()
                        .runInProcess(new InProcessRequest.AskPast(pace, lives))
                        .requireSuccess();
        LoadGenerator.Outcome overHttp =
                LoadGenerator.run(pace, random -> readAsOf(lives, random)).requireSuccess();
        figures.add(
                BenchmarkMetric.of(NAME, name + ": in the process, p50", inside.millis(50), "ms"));
        figures.add(
                BenchmarkMetric.of(NAME, name + ": in the process, p99", inside.millis(99), "ms"));
        figures.add(BenchmarkMetric.of(NAME, name + ": over HTTP, p50", overHttp.millis(50), "ms"));
        figures.add(
                BenchmarkMetric.of(NAME, name + ": over HTTP, p99", overHttp.millis(99), "ms")
                        .below(MAX_P99_MILLIS));
    }

    private LoadGenerator.Answer readAsOf(
            List<InProcessRequest.Life> lives, SplittableRandom random) throws IOException {
        InProcessRequest.Life life = lives.get(random.nextInt(lives.size()));
        return site.gateway()
                .get("/api/leases/%s?as_of=%s".formatted(life.lease(), life.randomInstant(random)));
    }

    /** Creates leases with many changes of the end; returns a list for the database. */
    private String createWithManyChanges() throws InterruptedException {
        Queue<String> made = new ConcurrentLinkedQueue<>();
        LoadGenerator.run(
                        LoadProfile.closed(LEASES_WITH_LONG_HISTORY, LEASES_WITH_LONG_HISTORY),
                        random -> createAndChange(made, random))
                .requireSuccess();
        return made.stream().collect(joining("', '", "'", "'"));
    }

    private LoadGenerator.Answer createAndChange(Queue<String> made, SplittableRandom random)
            throws IOException {
        RandomLeaseWindows.Window window = site.fleet().someday().next(random);
        LoadGenerator.Answer answer = site.fleet().reserve("changed", window.start(), window.end());
        String lease = JSON.readTree(answer.text()).path("id").asString();
        int changes = Math.min(MAX_CHANGES, site.settings().events() / 100);
        for (int change = 1; change <= changes && answer.isSuccess(); change++) {
            Instant end = window.end().plus(Duration.ofMinutes(change % 2));
            answer =
                    site.gateway()
                            .patch(
                                    "/api/leases/" + lease,
                                    """
                                    {"end": "%s"}\
                                    """
                                            .formatted(end));
        }
        made.add(lease);
        return answer;
    }

    private List<InProcessRequest.Life> readLifetimes(String name, String leases)
            throws SQLException {
        List<InProcessRequest.Life> lives = new ArrayList<>();
        long events = 0;
        try (Connection connection = site.database().connect();
                PreparedStatement asking =
                        connection.prepareStatement(
                                """
                                SELECT stream_id, min(recorded_at), max(recorded_at), count(*)
                                FROM domain_event WHERE stream_id IN (%s) GROUP BY stream_id\
                                """
                                        .formatted(leases));
                ResultSet row = asking.executeQuery()) {
            while (row.next()) {
                lives.add(
                        new InProcessRequest.Life(
                                UUID.fromString(row.getString(1)),
                                instant(row, 2),
                                instant(row, 3)));
                events += row.getLong(4);
            }
        }
        out.printf("%s: %s leases of %s events each%n", name, lives.size(), events / lives.size());
        return lives;
    }

    private static Instant instant(ResultSet row, int column) throws SQLException {
        return row.getObject(column, OffsetDateTime.class).toInstant();
    }
}
