package org.leasehold.bench.start;

import org.leasehold.bench.load.LoadGenerator;
import org.leasehold.bench.load.LoadProfile;
import org.leasehold.bench.measurement.Benchmark;
import org.leasehold.bench.measurement.BenchmarkMetric;
import org.leasehold.bench.site.BenchmarkSite;

import java.io.IOException;
import java.io.PrintStream;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/** The delay of simultaneous starts, alone and beside retries of many requests in that minute. */
public record RetriedRequestsBenchmark(BenchmarkSite site, PrintStream out) implements Benchmark {

    private static final String NAME = "retries";
    private static final int REQUESTS = 10_000;
    private static final int MIN_REQUESTS = 40;

    /** The time from a request to its retry. All requests are made in this time. */
    private static final int INTERVAL_SECONDS = 90;

    private static final int MIN_INTERVAL_SECONDS = 30;

    private static final String WAITING_RETRIES = "SELECT count(*) FROM timer WHERE priority = 0";

    /** Returns an option of the engine that permits so many retried requests. */
    public static String option() {
        return "--leasehold.lease.retry.max-per-project=" + 2 * REQUESTS;
    }

    @Override
    public void warmUp() throws IOException, SQLException, InterruptedException {
        measureAlone();
    }

    @Override
    public List<BenchmarkMetric> round() throws IOException, SQLException, InterruptedException {
        Lateness alone = measureAlone();
        Instant first = Instant.now();
        request();
        Instant last = Instant.now();
        Duration half = Duration.between(first, last).dividedBy(2);
        // Half of the retries are due by then.
        SimultaneousStarts starts =
                SimultaneousStarts.createShort(site, first.plus(interval()).plus(half));
        long waiting = site.database().queryNumber(WAITING_RETRIES);
        starts.awaitAllActive();
        Lateness beside = lateness(starts);
        BenchmarkSite.await(() -> site.database().queryNumber(WAITING_RETRIES) == 0);
        double retrySeconds =
                Duration.between(first.plus(interval()), Instant.now()).toMillis() / 1e3;
        String all =
                String.format(
                        Locale.ROOT, "%,d starts, decided: ", SimultaneousStarts.shortLeases(site));
        return List.of(
                BenchmarkMetric.of(NAME, all + "alone, p50", alone.millis(50), "ms"),
                BenchmarkMetric.of(NAME, all + "alone, last", alone.millis(100), "ms"),
                BenchmarkMetric.of(NAME, all + "beside retries, p50", beside.millis(50), "ms"),
                BenchmarkMetric.of(NAME, all + "beside retries, last", beside.millis(100), "ms"),
                BenchmarkMetric.of(NAME, "retries not decided at the starts", (double) waiting, ""),
                BenchmarkMetric.of(
                        NAME,
                        String.format(Locale.ROOT, "%,d retries decided after", requests()),
                        retrySeconds,
                        "s"));
    }

    private int requests() {
        return site.settings().sized(REQUESTS, MIN_REQUESTS);
    }

    private Duration interval() {
        return Duration.ofSeconds(site.settings().sized(INTERVAL_SECONDS, MIN_INTERVAL_SECONDS));
    }

    private Lateness measureAlone() throws IOException, SQLException, InterruptedException {
        SimultaneousStarts starts = SimultaneousStarts.createShort(site, Instant.now());
        starts.awaitAllActive();
        return lateness(starts);
    }

    private static Lateness lateness(SimultaneousStarts starts) {
        return Lateness.of(starts.tail(), "LeaseStarting", starts.second()::equals);
    }

    /** Requests more hosts than there are, with one retry. */
    private void request() throws InterruptedException {
        out.printf(Locale.ROOT, "making %,d requests that are retried%n", requests());
        LoadGenerator.run(
                        LoadProfile.closed(site.settings().maxClients(), requests()),
                        random ->
                                site.fleet()
                                        .requestRetried(
                                                site.settings().hosts() + 1, interval(), random))
                .requireSuccess();
    }
}
