package org.leasehold.bench.query;

import org.leasehold.bench.inprocess.InProcessRequest;
import org.leasehold.bench.load.LoadGenerator;
import org.leasehold.bench.load.LoadProfile;
import org.leasehold.bench.measurement.Benchmark;
import org.leasehold.bench.measurement.BenchmarkMetric;
import org.leasehold.bench.site.BenchmarkSite;

import java.io.IOException;
import java.util.List;

/** The latency of finding the earliest time at which ten hosts are free, for one to eight hours. */
public record AvailabilityBenchmark(BenchmarkSite site) implements Benchmark {

    private static final String NAME = "availability";
    private static final int HOSTS = 10;
    private static final int REQUESTS = 2_000;
    private static final int MIN_REQUESTS = 50;

    @Override
    public void warmUp() throws IOException, InterruptedException {
        overHttp();
        inProcess();
    }

    @Override
    public List<BenchmarkMetric> round() throws IOException, InterruptedException {
        LoadGenerator.Outcome overHttp = overHttp();
        LoadGenerator.Outcome inside = inProcess();
        return List.of(
                BenchmarkMetric.of(NAME, "in the process, p50", inside.millis(50), "ms"),
                BenchmarkMetric.of(NAME, "in the process, p99", inside.millis(99), "ms").below(5),
                BenchmarkMetric.of(NAME, "over HTTP, p50", overHttp.millis(50), "ms"),
                BenchmarkMetric.of(NAME, "over HTTP, p99", overHttp.millis(99), "ms").below(10));
    }

    private LoadProfile loadProfile() {
        return LoadProfile.closed(1, site.settings().sized(REQUESTS, MIN_REQUESTS));
    }

    private LoadGenerator.Outcome overHttp() throws InterruptedException {
        return LoadGenerator.run(
                        loadProfile(),
                        random -> site.fleet().queryAvailability(HOSTS, 1 + random.nextInt(8)))
                .requireSuccess();
    }

    private LoadGenerator.Outcome inProcess() throws IOException {
        return site.engine()
                .runInProcess(new InProcessRequest.AskAvailability(loadProfile(), HOSTS))
                .requireSuccess();
    }
}
