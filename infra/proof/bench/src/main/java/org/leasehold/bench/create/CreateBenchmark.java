package org.leasehold.bench.create;

import org.leasehold.bench.inprocess.InProcessRequest;
import org.leasehold.bench.load.LoadGenerator;
import org.leasehold.bench.load.LoadProfile;
import org.leasehold.bench.measurement.Benchmark;
import org.leasehold.bench.measurement.BenchmarkMetric;
import org.leasehold.bench.site.BenchmarkSite;
import org.leasehold.bench.site.CpuTime;

import java.io.IOException;
import java.io.PrintStream;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/**
 * Leases created per second, compared with the commits of the same server per second.
 *
 * @param name the name of the benchmark
 * @param way the way to create leases
 * @param goal creates per baseline
 * @param slowest the goal for the 99th percentile, in milliseconds; 0 for none
 * @param clients the number of concurrent clients
 */
public record CreateBenchmark(
        String name,
        BenchmarkSite site,
        Way way,
        double goal,
        double slowest,
        int clients,
        PrintStream out)
        implements Benchmark {

    private static final int BASELINE_SECONDS = 3;
    private static final double MAX_CATCH_UP_SECONDS = 1;

    /** Creates leases at a given pace. */
    public interface Way {
        LoadGenerator.Outcome create(LoadProfile pace) throws IOException, InterruptedException;

        static Way overHttp(BenchmarkSite site) {
            return pace -> LoadGenerator.run(pace, site.fleet()::reserve);
        }

        static Way throughBus(BenchmarkSite site) {
            return pace ->
                    site.engine()
                            .runInProcess(
                                    new InProcessRequest.Reserve(pace, site.fleet().someday()));
        }
    }

    public static CreateBenchmark overHttp(BenchmarkSite site, int clients, PrintStream out) {
        return new CreateBenchmark("creates", site, Way.overHttp(site), 0.5, 50, clients, out);
    }

    public static CreateBenchmark throughBus(BenchmarkSite site, int clients, PrintStream out) {
        return new CreateBenchmark("bus", site, Way.throughBus(site), 1.5, 0, clients, out);
    }

    CreateBenchmark withName(String otherName) {
        return new CreateBenchmark(otherName, site, way, goal, slowest, clients, out);
    }

    @Override
    public void warmUp() throws IOException, SQLException, InterruptedException {
        way.create(LoadProfile.closed(clients, Duration.ofSeconds(site.settings().warmUp())));
        site.awaitCatchUp();
    }

    @Override
    public List<BenchmarkMetric> round() throws IOException, SQLException, InterruptedException {
        double baseline =
                site.baseline().measure(clients, site.settings().sized(BASELINE_SECONDS, 1));
        CpuTime before = site.engine().cpuTime();
        LoadGenerator.Outcome created = way.create(site.settings().pace(clients));
        CpuTime used = site.engine().cpuTime().since(before);
        double behind = site.awaitCatchUp();
        if (created.tally().failures() > 0) {
            out.printf(
                    "%s: answers by status %s, for example: %s%n",
                    name, created.tally().statuses(), created.tally().example());
        }
        String c = clients + " clients: ";
        BenchmarkMetric perBaseline =
                metric(c + "per baseline", created.perSecond() / baseline, "");
        BenchmarkMetric p99 = metric(c + "p99", created.millis(99), "ms");
        boolean closed = site.settings().rate() == 0;
        return List.of(
                metric(c + "created", created.perSecond(), "/s"),
                metric(c + "baseline, begin/insert/commit", baseline, "/s"),
                closed ? perBaseline.atLeast(goal) : perBaseline,
                metric(c + "p50", created.millis(50), "ms"),
                slowest > 0 ? p99.below(slowest) : p99,
                metric(c + "p99.9", created.millis(99.9), "ms"),
                metric(c + "not granted", (double) created.tally().failures(), ""),
                metric(c + "every processor has caught up within", behind, "s")
                        .below(MAX_CATCH_UP_SECONDS),
                metricPerCreate(c + "CPU per create, engine", used.engine(), created),
                metricPerCreate(c + "CPU per create, database", used.database(), created),
                metricPerCreate(c + "CPU per create, clients", used.clients(), created),
                metricPerCreate(c + "CPU per create, others", used.others(), created),
                metric(c + "CPU idle", 100 * used.idle() / used.total(), "%"));
    }

    private BenchmarkMetric metric(String figure, double value, String unit) {
        return BenchmarkMetric.of(name, figure, value, unit);
    }

    private BenchmarkMetric metricPerCreate(
            String figure, double used, LoadGenerator.Outcome created) {
        return metric(figure, 1e3 * used / created.tally().successes(), "ms");
    }
}
