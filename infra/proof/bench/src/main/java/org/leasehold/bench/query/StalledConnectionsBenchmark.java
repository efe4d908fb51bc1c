package org.leasehold.bench.query;

import org.leasehold.bench.load.LoadGenerator;
import org.leasehold.bench.load.LoadProfile;
import org.leasehold.bench.load.StalledConnections;
import org.leasehold.bench.measurement.Benchmark;
import org.leasehold.bench.measurement.BenchmarkMetric;
import org.leasehold.bench.site.BenchmarkSite;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** The latency of reads, alone and beside connections that never complete a request. */
public record StalledConnectionsBenchmark(BenchmarkSite site) implements Benchmark {

    private static final String NAME = "stalled";
    private static final int CONNECTIONS = 500;
    private static final int MIN_CONNECTIONS = 20;
    private static final int CLIENTS = 8;
    private static final int SECONDS = 10;
    private static final double READS_PER_SECOND = 100;
    private static final double MAX_P99_MILLIS = 100;

    @Override
    public void warmUp() throws InterruptedException {
        read();
    }

    @Override
    public List<BenchmarkMetric> round() throws IOException, InterruptedException {
        LoadGenerator.Outcome alone = read();
        int count = site.settings().sized(CONNECTIONS, MIN_CONNECTIONS);
        LoadGenerator.Outcome beside;
        try (StalledConnections _ = StalledConnections.open(site.engine().address(), count)) {
            beside = read();
        }
        String besideThem = String.format(Locale.ROOT, "beside %,d stalled connections, ", count);
        return List.of(
                metric("alone, p50", alone.millis(50)),
                metric("alone, p99", alone.millis(99)),
                metric(besideThem + "p50", beside.millis(50)),
                metric(besideThem + "p99", beside.millis(99)).below(MAX_P99_MILLIS));
    }

    private static BenchmarkMetric metric(String name, double millis) {
        return BenchmarkMetric.of(NAME, "a page of 10 leases, " + name, millis, "ms");
    }

    private LoadGenerator.Outcome read() throws InterruptedException {
        Duration time = Duration.ofSeconds(site.settings().sized(SECONDS, 1));
        return LoadGenerator.run(
                        LoadProfile.open(CLIENTS, time, READS_PER_SECOND),
                        _ -> site.gateway().get("/api/leases?limit=10"))
                .requireSuccess();
    }
}
