package org.leasehold.bench.create;

import org.leasehold.bench.load.LoadGenerator;
import org.leasehold.bench.load.LoadGenerator.Answer;
import org.leasehold.bench.load.LoadProfile;
import org.leasehold.bench.load.RandomLeaseWindows;
import org.leasehold.bench.load.WorkloadClient;
import org.leasehold.bench.measurement.Benchmark;
import org.leasehold.bench.measurement.BenchmarkMetric;
import org.leasehold.bench.site.BenchmarkSite;

import java.io.IOException;
import java.io.PrintStream;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * The CPU time of a refusal, compared with that of a create, and the latency of creates during
 * refusals. Many resources are claimed in the time ahead.
 */
public record RefusalBenchmark(BenchmarkSite site, PrintStream out) implements Benchmark {

    private static final String NAME = "refusals";
    private static final int CLIENTS = 8;
    private static final int SECONDS = 10;
    private static final double REFUSED_PER_SECOND = 50;
    private static final double CREATED_PER_SECOND = 100;
    private static final double MAX_REFUSAL_COST = 2;
    private static final double MAX_P99_MILLIS = 500;
    private static final int LARGE_HOST_EVERY = 4;
    private static final int CORES_OF_A_LARGE_HOST = 64;
    private static final Duration SEARCHED = Duration.ofDays(32);
    private static final Duration ONE_DAY = Duration.ofDays(1);
    private static final Duration MAX_HORIZON = Duration.ofDays(73);
    private static final int CONFLICT = 409;
    private static final int STATUS_NOT_REFUSED = 599;

    @Override
    public void warmUp() throws IOException, SQLException, InterruptedException {
        LoadGenerator.run(closed(), site.fleet()::reserve).requireSuccess();
        LoadGenerator.run(closed(), this::createRefused).requireSuccess();
        LoadGenerator.run(closed(), this::createInstance).requireSuccess();
        leaseLargeHosts();
        LoadGenerator.run(closed(), this::createRefusedInstances).requireSuccess();
        site.awaitCatchUp();
    }

    @Override
    public List<BenchmarkMetric> round() throws IOException, SQLException, InterruptedException {
        double perCreate = measureCpuPerRequest(site.fleet()::reserve);
        double perRefusal = measureCpuPerRequest(this::createRefused);
        double perInstance = measureCpuPerRequest(this::createInstance);
        double perInstanceRefusal = measureCpuPerRequest(this::createRefusedInstances);
        LoadGenerator.Outcome created = measureCreatesBesideRefusals();
        if (created.tally().failures() > 0) {
            out.printf(
                    "%s: %s, for example: %s%n",
                    NAME, created.tally().statuses(), created.tally().example());
        }
        return List.of(
                BenchmarkMetric.of(NAME, "CPU per create", perCreate, "ms"),
                BenchmarkMetric.of(NAME, "CPU per refusal", perRefusal, "ms"),
                BenchmarkMetric.of(NAME, "refusal per create", perRefusal / perCreate, "")
                        .below(MAX_REFUSAL_COST),
                BenchmarkMetric.of(NAME, "instances: CPU per create", perInstance, "ms"),
                BenchmarkMetric.of(NAME, "instances: CPU per refusal", perInstanceRefusal, "ms"),
                BenchmarkMetric.of(
                                NAME,
                                "instances: refusal per create",
                                perInstanceRefusal / perInstance,
                                "")
                        .below(MAX_REFUSAL_COST),
                BenchmarkMetric.of(NAME, "creates beside refusals, p50", created.millis(50), "ms"),
                BenchmarkMetric.of(NAME, "creates beside refusals, p99", created.millis(99), "ms")
                        .below(MAX_P99_MILLIS),
                BenchmarkMetric.of(NAME, "not granted", (double) created.tally().failures(), ""));
    }

    private double measureCpuPerRequest(LoadGenerator.Question question)
            throws IOException, SQLException, InterruptedException {
        return site.measureCpuPerResponse(
                () -> LoadGenerator.run(closed(), question).requireSuccess().tally().successes());
    }

    private LoadGenerator.Outcome measureCreatesBesideRefusals() throws InterruptedException {
        CompletableFuture<LoadGenerator.Outcome> refused =
                CompletableFuture.supplyAsync(
                        () -> {
                            try {
                                return LoadGenerator.run(
                                                open(REFUSED_PER_SECOND), this::createRefused)
                                        .requireSuccess();
                            } catch (InterruptedException e) {
                                Thread.currentThread().interrupt();
                                throw new CompletionException(e);
                            }
                        });
        LoadGenerator.Outcome created =
                LoadGenerator.run(open(CREATED_PER_SECOND), site.fleet()::reserve);
        refused.join();
        return created;
    }

    private LoadProfile closed() {
        return LoadProfile.closed(CLIENTS, time());
    }

    private LoadProfile open(double perSecond) {
        return LoadProfile.open(CLIENTS, time(), perSecond);
    }

    private Duration time() {
        return Duration.ofSeconds(site.settings().sized(SECONDS, 1));
    }

    /** Requests all hosts with the property at a time when some are leased. */
    private Answer createRefused(SplittableRandom random) throws IOException {
        return requireRefused(site.fleet().reserveAll(site.settings().manyHosts() / 2, random));
    }

    private Answer createInstance(SplittableRandom random) throws IOException {
        return createInstances(site.fleet().someday().next(random), 1, 1);
    }

    /** Requests a large instance on each large host, of which one is leased at any time. */
    private Answer createRefusedInstances(SplittableRandom random) throws IOException {
        int largeHosts = site.settings().manyHosts() / LARGE_HOST_EVERY;
        return requireRefused(
                createInstances(windows().next(random), largeHosts, CORES_OF_A_LARGE_HOST));
    }

    /** The windows in which large hosts are requested: few enough days to lease a host on each. */
    private RandomLeaseWindows windows() {
        RandomLeaseWindows all = site.fleet().someday();
        return all.horizon().compareTo(MAX_HORIZON) < 0
                ? all
                : new RandomLeaseWindows(all.first(), MAX_HORIZON);
    }

    /** Leases a large host on each day of the windows, and of the days that a search examines. */
    private void leaseLargeHosts() throws IOException {
        Instant end = windows().first().plus(windows().horizon()).plus(SEARCHED);
        for (Instant day = windows().first(); day.isBefore(end); day = day.plus(ONE_DAY)) {
            var window = new RandomLeaseWindows.Window(day, day.plus(ONE_DAY));
            Answer leased = createInstances(window, 1, CORES_OF_A_LARGE_HOST);
            if (!leased.isSuccess()) {
                throw new IllegalStateException("no large host was leased: " + leased.status());
            }
        }
    }

    private Answer createInstances(RandomLeaseWindows.Window window, int amount, int cores)
            throws IOException {
        return site.gateway()
                .post("/api/leases", WorkloadClient.instancesRequest(window, amount, cores));
    }

    private static Answer requireRefused(Answer answer) {
        return new Answer(answer.status() == CONFLICT ? 200 : STATUS_NOT_REFUSED, answer.body());
    }
}
