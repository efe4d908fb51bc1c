package org.leasehold.bench.query;

import org.leasehold.bench.load.LoadGenerator;
import org.leasehold.bench.load.LoadProfile;
import org.leasehold.bench.measurement.Benchmark;
import org.leasehold.bench.measurement.BenchmarkMetric;
import org.leasehold.bench.site.BenchmarkSite;
import org.leasehold.bench.site.Memory;

import java.io.IOException;
import java.util.List;
import java.util.Locale;

/** The latency of listing leases, one page and all. */
public record ListBenchmark(BenchmarkSite site) implements Benchmark {

    private static final String NAME = "list";
    private static final int FULL_LIST_REQUESTS = 20;
    private static final int PAGE_REQUESTS = 1_000;
    private static final int MIN_PAGE_REQUESTS = 50;

    @Override
    public void warmUp() throws InterruptedException {
        measureSequential(FULL_LIST_REQUESTS, "/v1/leases");
        measureSequential(pageRequests(), "/api/leases?limit=100");
    }

    @Override
    public List<BenchmarkMetric> round() throws IOException, InterruptedException {
        Memory before = Memory.of(site);
        LoadGenerator.Outcome whole = measureSequential(FULL_LIST_REQUESTS, "/v1/leases");
        Memory after = Memory.of(site);
        LoadGenerator.Outcome page = measureSequential(pageRequests(), "/api/leases?limit=100");
        String all = String.format(Locale.ROOT, "all %,d leases, ", site.settings().leases());
        return List.of(
                BenchmarkMetric.of(NAME, "a page of 100, p50", page.millis(50), "ms"),
                BenchmarkMetric.of(NAME, "a page of 100, p99", page.millis(99), "ms").below(10),
                BenchmarkMetric.of(NAME, all + "p50", whole.millis(50), "ms"),
                BenchmarkMetric.of(NAME, all + "longest of 20", whole.millis(100), "ms").below(300),
                BenchmarkMetric.of(NAME, all + "heap before", before.heapMib(), "MiB"),
                BenchmarkMetric.of(NAME, all + "heap after", after.heapMib(), "MiB"));
    }

    private int pageRequests() {
        return site.settings().sized(PAGE_REQUESTS, MIN_PAGE_REQUESTS);
    }

    private LoadGenerator.Outcome measureSequential(int times, String path)
            throws InterruptedException {
        return LoadGenerator.run(LoadProfile.closed(1, times), _ -> site.gateway().get(path))
                .requireSuccess();
    }
}
