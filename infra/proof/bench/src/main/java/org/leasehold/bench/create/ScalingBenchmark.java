package org.leasehold.bench.create;

import org.leasehold.bench.measurement.Benchmark;
import org.leasehold.bench.measurement.BenchmarkMetric;
import org.leasehold.bench.site.BenchmarkSite;

import java.io.IOException;
import java.io.PrintStream;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Compares the rate of creates with few leases and with many. */
public record ScalingBenchmark(CreateBenchmark small, CreateBenchmark many) implements Benchmark {

    private static final double MIN_RATE_RATIO = 0.8;

    public static ScalingBenchmark of(
            BenchmarkSite small, BenchmarkSite large, int clients, PrintStream out) {
        return new ScalingBenchmark(
                CreateBenchmark.overHttp(small, clients, out).withName("flat, few"),
                CreateBenchmark.overHttp(large, clients, out).withName("flat, many"));
    }

    @Override
    public void warmUp() throws IOException, SQLException, InterruptedException {
        small.warmUp();
        many.warmUp();
    }

    /** Measures one after the other, so that other load on the machine slows both equally. */
    @Override
    public List<BenchmarkMetric> round() throws IOException, SQLException, InterruptedException {
        List<BenchmarkMetric> fast = small.round();
        List<BenchmarkMetric> slow = many.round();
        List<BenchmarkMetric> figures = new ArrayList<>(fast);
        figures.addAll(slow);
        figures.add(
                BenchmarkMetric.of(
                                "flat",
                                small.clients() + " clients: many per few",
                                slow.getFirst().median() / fast.getFirst().median(),
                                "")
                        .atLeast(MIN_RATE_RATIO));
        return figures;
    }
}
