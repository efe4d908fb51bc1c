package org.leasehold.bench.start;

import org.leasehold.bench.measurement.Benchmark;
import org.leasehold.bench.measurement.BenchmarkMetric;
import org.leasehold.bench.site.BenchmarkSite;

import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;

/** The delay of simultaneous starts, alone and beside clients that list all leases all the time. */
public record PolledStartsBenchmark(BenchmarkSite site) implements Benchmark {

    private static final String NAME = "polled";
    private static final int POLLERS = 2;

    private static final double MAX_RATIO = 1.25;

    @Override
    public void warmUp() throws IOException, SQLException, InterruptedException {
        measureAlone();
        measurePolled();
    }

    @Override
    public List<BenchmarkMetric> round() throws IOException, SQLException, InterruptedException {
        double alone = measureAlone();
        double polled = measurePolled();
        String all =
                String.format(
                        Locale.ROOT,
                        "%,d starts, last one active after: ",
                        SimultaneousStarts.shortLeases(site));
        return List.of(
                BenchmarkMetric.of(NAME, all + "alone", alone, "s"),
                BenchmarkMetric.of(NAME, all + "beside lists", polled, "s"),
                BenchmarkMetric.of(NAME, "beside lists per alone", polled / alone, "")
                        .below(MAX_RATIO));
    }

    private double measureAlone() throws IOException, SQLException, InterruptedException {
        return awaitLast(SimultaneousStarts.createShort(site, Instant.now()));
    }

    private double measurePolled() throws IOException, SQLException, InterruptedException {
        SimultaneousStarts starts = SimultaneousStarts.createShort(site, Instant.now());
        AtomicBoolean over = new AtomicBoolean();
        List<Future<Void>> polling = new ArrayList<>();
        double last;
        try (ExecutorService pollers = Executors.newFixedThreadPool(POLLERS)) {
            for (int i = 0; i < POLLERS; i++) {
                polling.add(pollers.submit(() -> listUntil(over)));
            }
            try {
                last = awaitLast(starts);
            } finally {
                over.set(true);
            }
        }
        for (Future<Void> each : polling) {
            requireSuccess(each);
        }
        return last;
    }

    private Void listUntil(AtomicBoolean over) throws IOException {
        while (!over.get()) {
            if (!site.gateway().get("/v1/leases").isSuccess()) {
                throw new IllegalStateException("a list was refused");
            }
        }
        return null;
    }

    private static void requireSuccess(Future<Void> polling) throws InterruptedException {
        try {
            polling.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("A client gave up", e.getCause());
        }
    }

    /** Returns the seconds from the start of the leases until the last one is active. */
    private static double awaitLast(SimultaneousStarts starts)
            throws SQLException, InterruptedException {
        starts.awaitAllActive();
        Instant last =
                starts.activated()
                        .map(LeaseEventReader.Event::recordedAt)
                        .max(Instant::compareTo)
                        .orElseThrow();
        return Duration.between(starts.second(), last).toMillis() / 1e3;
    }
}
