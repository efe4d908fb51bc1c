package org.leasehold.bench.start;

import org.leasehold.bench.load.LoadGenerator;
import org.leasehold.bench.load.LoadProfile;
import org.leasehold.bench.measurement.Benchmark;
import org.leasehold.bench.measurement.BenchmarkMetric;
import org.leasehold.bench.site.BenchmarkSite;

import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** The lateness of starts on an idle engine: each lease has the engine for itself. */
public record IdleStartBenchmark(BenchmarkSite site) implements Benchmark {

    private static final String NAME = "idle";
    private static final int LEASES = 50;
    private static final int MIN_LEASES = 3;
    private static final Duration START_INTERVAL = Duration.ofMillis(700);
    private static final Duration LEAD = Duration.ofSeconds(3);

    /** Their ends come later than the last start. */
    private static final Duration LEASE_DURATION = Duration.ofMinutes(2);

    @Override
    public List<BenchmarkMetric> round() throws IOException, SQLException, InterruptedException {
        LeaseEventReader tail = LeaseEventReader.fromNow(site.database());
        Instant first = Instant.now().plus(LEAD);
        int leases = site.settings().sized(LEASES, MIN_LEASES);
        AtomicInteger number = new AtomicInteger();
        LoadGenerator.run(
                        LoadProfile.closed(4, leases),
                        _ -> {
                            Instant start =
                                    first.plus(
                                            START_INTERVAL.multipliedBy(number.getAndIncrement()));
                            return site.fleet().reserve("idle", start, start.plus(LEASE_DURATION));
                        })
                .requireSuccess();
        // No query runs before the last start.
        Thread.sleep(
                Duration.between(Instant.now(), first.plus(START_INTERVAL.multipliedBy(leases))));
        BenchmarkSite.await(
                () -> {
                    tail.readNew();
                    return tail.events("LeaseActivated").count() == leases;
                });
        Lateness decided = Lateness.of(tail, "LeaseStarting", _ -> true);
        Lateness ready = Lateness.of(tail, "LeaseActivated", _ -> true);
        return List.of(
                BenchmarkMetric.of(NAME, "decision stored, p50", decided.millis(50), "ms"),
                BenchmarkMetric.of(NAME, "decision stored, p99", decided.millis(99), "ms")
                        .below(100),
                BenchmarkMetric.of(NAME, "hosts ready, p50", ready.millis(50), "ms"),
                BenchmarkMetric.of(NAME, "hosts ready, p99", ready.millis(99), "ms"));
    }
}
