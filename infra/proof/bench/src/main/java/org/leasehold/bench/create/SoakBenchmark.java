package org.leasehold.bench.create;

import org.leasehold.bench.load.LoadGenerator;
import org.leasehold.bench.load.LoadGenerator.Answer;
import org.leasehold.bench.load.LoadProfile;
import org.leasehold.bench.measurement.Benchmark;
import org.leasehold.bench.measurement.BenchmarkMetric;
import org.leasehold.bench.site.BenchmarkSite;
import org.leasehold.bench.site.Memory;

import tools.jackson.databind.json.JsonMapper;

import java.io.IOException;
import java.io.PrintStream;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Creates and deletes leases at half of the engine's peak rate, so that their number is constant:
 * growth shows a leak. The first and the last tenth of the time are compared.
 */
public final class SoakBenchmark implements Benchmark {

    private static final String NAME = "soak";
    private static final int PEAK_SECONDS = 20;
    private static final int PARTS = 10;
    private static final JsonMapper JSON = JsonMapper.shared();

    private final BenchmarkSite site;
    private final PrintStream out;
    private final ConcurrentLinkedQueue<String> leases = new ConcurrentLinkedQueue<>();
    private final AtomicLong requestCount = new AtomicLong();

    public SoakBenchmark(BenchmarkSite site, PrintStream out) {
        this.site = site;
        this.out = out;
    }

    @Override
    public void warmUp() throws InterruptedException {
        Duration time = Duration.ofSeconds(site.settings().warmUp());
        LoadGenerator.run(
                LoadProfile.closed(site.settings().maxClients(), time), this::createOrDelete);
    }

    /** Creates a lease or deletes the oldest one, in turn. */
    private Answer createOrDelete(SplittableRandom random) throws IOException {
        String oldest = requestCount.getAndIncrement() % 2 == 0 ? null : leases.poll();
        if (oldest != null) {
            return site.gateway().delete("/v1/leases/" + oldest);
        }
        Answer answer = site.fleet().reserve(random);
        if (answer.isSuccess()) {
            leases.add(JSON.readTree(answer.body()).at("/lease/id").asString());
        }
        return answer;
    }

    @Override
    public List<BenchmarkMetric> round() throws IOException, SQLException, InterruptedException {
        int clients = site.settings().maxClients();
        Duration atPeak = Duration.ofSeconds(site.settings().sized(PEAK_SECONDS, 1));
        double peak =
                LoadGenerator.run(LoadProfile.closed(clients, atPeak), this::createOrDelete)
                        .perSecond();
        Duration part = site.settings().soak().dividedBy(PARTS);
        List<State> states = new ArrayList<>();
        for (int i = 0; i < PARTS; i++) {
            LoadGenerator.Outcome seen =
                    LoadGenerator.run(
                            LoadProfile.open(clients, part, peak / 2), this::createOrDelete);
            states.add(State.of(site, seen));
            out.printf("soak, part %s of %s: %s%n", i + 1, PARTS, states.getLast());
        }
        State first = states.getFirst();
        State last = states.getLast();
        long failures = states.stream().mapToLong(State::failures).sum();
        List<BenchmarkMetric> figures = new ArrayList<>();
        figures.add(BenchmarkMetric.of(NAME, "peak, leases made or deleted", peak, "/s"));
        figures.add(BenchmarkMetric.of(NAME, "rate, half of it", peak / 2, "/s"));
        figures.add(BenchmarkMetric.of(NAME, "failures", (double) failures, "").below(1));
        compare(figures, "heap after collection", first.heapMib, last.heapMib, "MiB");
        figures.add(
                BenchmarkMetric.of(NAME, "heap, last per first", last.heapMib / first.heapMib, "")
                        .below(1.1));
        compare(figures, "resident", first.residentMib, last.residentMib, "MiB");
        compare(figures, "threads", first.threads, last.threads, "");
        compare(figures, "connections", (double) first.connections, (double) last.connections, "");
        compare(figures, "p50", first.p50, last.p50, "ms");
        compare(figures, "p99", first.p99, last.p99, "ms");
        return figures;
    }

    private static void compare(
            List<BenchmarkMetric> figures, String what, double first, double last, String unit) {
        figures.add(BenchmarkMetric.of(NAME, what + ", first tenth", first, unit));
        figures.add(BenchmarkMetric.of(NAME, what + ", last tenth", last, unit));
    }

    /** The state after a part of the time. */
    private record State(
            double heapMib,
            double residentMib,
            int threads,
            long connections,
            double p50,
            double p99,
            long failures) {

        static State of(BenchmarkSite site, LoadGenerator.Outcome seen)
                throws IOException, SQLException, InterruptedException {
            Memory memory = Memory.of(site);
            return new State(
                    memory.heapMib(),
                    memory.residentMib(),
                    memory.threads(),
                    site.database()
                            .queryNumber(
                                    "SELECT count(*) FROM pg_stat_activity WHERE datname IS NOT"
                                            + " NULL"),
                    seen.millis(50),
                    seen.millis(99),
                    seen.tally().failures());
        }
    }
}
