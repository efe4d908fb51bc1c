package org.leasehold.bench.start;

import org.leasehold.bench.measurement.Benchmark;
import org.leasehold.bench.measurement.BenchmarkMetric;
import org.leasehold.bench.site.BenchmarkSite;

import java.io.IOException;
import java.io.PrintStream;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

/**
 * The delay of simultaneous starts on all hosts, after some starts that warm up the JVM. It runs
 * once, because the hosts are then leased.
 */
public record StartStormBenchmark(BenchmarkSite site, PrintStream out) implements Benchmark {

    private static final String NAME = "storm";
    private static final int LARGE_STORM_FACTOR = 10;

    /** The duration of the warm-up leases, which must end before the measured ones start. */
    private static final int BRIEFLY_SECONDS = 20;

    private static final Duration LEASE_DURATION = Duration.ofHours(1);
    private static final double QUICK = 5;

    @Override
    public List<BenchmarkMetric> round() throws IOException, SQLException, InterruptedException {
        int leases = Math.min(site.settings().storm(), site.settings().manyHosts());
        Duration briefly = Duration.ofSeconds(site.settings().sized(BRIEFLY_SECONDS, 10));
        out.printf(Locale.ROOT, "waiting for %,d leases to start%n", leases / LARGE_STORM_FACTOR);
        SimultaneousStarts small =
                SimultaneousStarts.create(
                        site, leases / LARGE_STORM_FACTOR, Instant.now(), briefly);
        small.awaitAllActive();
        out.printf(Locale.ROOT, "waiting for %,d leases to start%n", leases);
        SimultaneousStarts storm =
                SimultaneousStarts.create(
                        site, leases, small.second().plus(briefly), LEASE_DURATION);
        return figures(storm, storm.awaitAllActive());
    }

    private static List<BenchmarkMetric> figures(SimultaneousStarts storm, Duration queued) {
        Lateness decided = Lateness.of(storm.tail(), "LeaseStarting", storm.second()::equals);
        Lateness ready = Lateness.of(storm.tail(), "LeaseActivated", storm.second()::equals);
        SimultaneousStarts.HandOvers handOvers = storm.handOvers();
        String all = String.format(Locale.ROOT, "%,d at once: ", storm.due().size());
        return List.of(
                metric(
                                all + "every start decided or put off after",
                                last(storm.decisions().values(), storm.second()))
                        .below(QUICK),
                metric(all + "every task queued after", queued).below(QUICK),
                metric(
                        all + "every lease active after",
                        last(
                                storm.activated().map(LeaseEventReader.Event::recordedAt).toList(),
                                storm.second())),
                metric(all + "decision to start, p50", ofMillis(decided.millis(50))),
                metric(all + "hosts ready, p50", ofMillis(ready.millis(50))),
                BenchmarkMetric.of(NAME, all + "hand-overs", handOvers.count(), ""),
                BenchmarkMetric.of(
                                NAME, all + "hand-overs out of order", handOvers.outOfOrder(), "")
                        .below(1));
    }

    private static Duration last(Collection<Instant> instants, Instant second) {
        return Duration.between(second, instants.stream().max(Instant::compareTo).orElseThrow());
    }

    private static Duration ofMillis(double millis) {
        return Duration.ofMillis(Math.round(millis));
    }

    private static BenchmarkMetric metric(String name, Duration value) {
        return BenchmarkMetric.of(NAME, name, value.toMillis() / 1e3, "s");
    }
}
