package org.leasehold.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

/**
 * A surge on all hosts, after a small one that warms up the JVM. It runs once, because the hosts
 * are then leased.
 */
record Storm(Site site, PrintStream out) implements Benchmark {

    private static final String NAME = "storm";
    private static final int TIMES_THE_SMALL_ONE = 10;

    /** The time of the small one, which must end before the large one. */
    private static final int BRIEFLY_SECONDS = 20;

    private static final Duration LASTS = Duration.ofHours(1);
    private static final double QUICK = 5;

    @Override
    public List<Figure> round() throws IOException, SQLException, InterruptedException {
        int leases = Math.min(site.settings().storm(), site.settings().manyHosts());
        Duration briefly = Duration.ofSeconds(site.settings().sized(BRIEFLY_SECONDS, 10));
        out.printf(Locale.ROOT, "waiting for %,d leases to start%n", leases / TIMES_THE_SMALL_ONE);
        Surge small = Surge.create(site, leases / TIMES_THE_SMALL_ONE, Instant.now(), briefly);
        small.watch();
        out.printf(Locale.ROOT, "waiting for %,d leases to start%n", leases);
        Surge storm = Surge.create(site, leases, small.second().plus(briefly), LASTS);
        return figures(storm, storm.watch());
    }

    private static List<Figure> figures(Surge storm, Duration queued) {
        Lateness decided = Lateness.of(storm.tail(), "LeaseStarting", storm.second()::equals);
        Lateness ready = Lateness.of(storm.tail(), "LeaseActivated", storm.second()::equals);
        Surge.HandOvers handOvers = storm.handOvers();
        String all = String.format(Locale.ROOT, "%,d at once: ", storm.due().size());
        return List.of(
                told(
                                all + "every start decided or put off after",
                                last(storm.decisions().values(), storm.second()))
                        .below(QUICK),
                told(all + "every task queued after", queued).below(QUICK),
                told(
                        all + "every lease active after",
                        last(
                                storm.activated().map(Tail.Event::recordedAt).toList(),
                                storm.second())),
                told(all + "decision to start, p50", ofMillis(decided.millis(50))),
                told(all + "hosts ready, p50", ofMillis(ready.millis(50))),
                Figure.told(NAME, all + "hand-overs", handOvers.count(), ""),
                Figure.told(NAME, all + "hand-overs out of order", handOvers.outOfOrder(), "")
                        .below(1));
    }

    private static Duration last(Collection<Instant> instants, Instant second) {
        return Duration.between(second, instants.stream().max(Instant::compareTo).orElseThrow());
    }

    private static Duration ofMillis(double millis) {
        return Duration.ofMillis(Math.round(millis));
    }

    private static Figure told(String name, Duration value) {
        return Figure.told(NAME, name, value.toMillis() / 1e3, "s");
    }
}
