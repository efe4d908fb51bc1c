package org.leasehold.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * All leases start in the same second, on every host there is; on a tenth of the hosts another
 * lease ends in that second. Once, because the hosts are taken then.
 */
record Storm(Site site, PrintStream out) implements Benchmark {

    private static final String NAME = "storm";
    private static final int HOSTS_PER_PREDECESSOR = 10;
    private static final Duration LASTS = Duration.ofHours(1);
    private static final Duration LEAD = Duration.ofSeconds(10);

    /** Slower than this nobody creates them. */
    private static final int CREATES_PER_SECOND = 150;

    private static final int LOOK_EVERY_MILLIS = 100;
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final double QUICK = 5;

    @Override
    public List<Figure> round() throws IOException, SQLException, InterruptedException {
        int leases = Math.min(site.settings().storm(), site.settings().manyHosts());
        int predecessors = leases / HOSTS_PER_PREDECESSOR;
        Tail tail = Tail.fromNow(site.database());
        Instant second =
                Instant.now()
                        .plus(LEAD)
                        .plusSeconds((leases + predecessors) / CREATES_PER_SECOND)
                        .truncatedTo(ChronoUnit.SECONDS);
        Pace pace = Pace.closed(site.settings().mostClients(), predecessors);
        Load.run(pace, _ -> site.fleet().reserve("before", Instant.now(), second)).clean();
        pace = Pace.closed(site.settings().mostClients(), leases);
        Load.run(pace, _ -> site.fleet().reserve("storm", second, second.plus(LASTS))).clean();
        tail.read();
        Set<String> due =
                tail.events("LeaseRequested")
                        .filter(event -> second.equals(event.starts()))
                        .map(Tail.Event::lease)
                        .collect(Collectors.toSet());
        out.printf("waiting for %,d leases to start%n", due.size());
        Thread.sleep(Duration.between(Instant.now(), second));
        double queued = watch(tail, due, second);
        return figures(tail, due, second, queued);
    }

    /** Looks on until everything runs; returns after how long every task had been queued. */
    private double watch(Tail tail, Set<String> due, Instant second)
            throws SQLException, InterruptedException {
        double queued = Double.NaN;
        long active = 0;
        while (active < due.size()) {
            Thread.sleep(LOOK_EVERY_MILLIS);
            tail.read();
            active = of(tail, "LeaseActivated", due);
            if (Double.isNaN(queued)
                    && of(tail, "LeaseStarting", due) == due.size()
                    && withTask(tail).containsAll(due)) {
                queued = seconds(second, Instant.now());
            }
            if (Duration.between(second, Instant.now()).compareTo(PATIENCE) > 0) {
                throw new IllegalStateException("Only %d leases run".formatted(active));
            }
        }
        return queued;
    }

    private static long of(Tail tail, String type, Set<String> leases) {
        return tail.events(type).filter(event -> leases.contains(event.lease())).count();
    }

    /** Those whose task is done, and those whose task is there. */
    private Set<String> withTask(Tail tail) throws SQLException {
        // Tasks first: one that is done meanwhile has told so.
        Set<String> leases = new HashSet<>();
        try (Connection connection = site.database().connect();
                PreparedStatement tasks =
                        connection.prepareStatement("SELECT lease_id::text FROM plugin_task");
                ResultSet row = tasks.executeQuery()) {
            while (row.next()) {
                leases.add(row.getString(1));
            }
        }
        tail.read();
        tail.events("ReservationActivated").map(Tail.Event::lease).forEach(leases::add);
        return leases;
    }

    private static List<Figure> figures(Tail tail, Set<String> due, Instant second, double queued) {
        Lateness decided = Lateness.of(tail, "LeaseStarting", second::equals);
        Lateness ready = Lateness.of(tail, "LeaseActivated", second::equals);
        HandOvers handOvers = HandOvers.of(tail, due);
        String all = "%,d at once: ".formatted(due.size());
        return List.of(
                told(all + "every decision stored after", last(tail, "LeaseStarting", due, second))
                        .below(QUICK),
                told(all + "every task queued after", queued).below(QUICK),
                told(all + "every lease active after", last(tail, "LeaseActivated", due, second)),
                told(all + "decision stored, p50", decided.millis(50) / 1e3),
                told(all + "hosts ready, p50", ready.millis(50) / 1e3),
                Figure.told(NAME, all + "hand-overs", handOvers.count(), ""),
                Figure.told(NAME, all + "hand-overs out of order", handOvers.outOfOrder(), "")
                        .below(1));
    }

    private static double last(Tail tail, String type, Set<String> due, Instant second) {
        return tail.events(type)
                .filter(event -> due.contains(event.lease()))
                .mapToDouble(event -> seconds(second, event.recordedAt()))
                .max()
                .orElseThrow();
    }

    private static double seconds(Instant from, Instant to) {
        return Duration.between(from, to).toMillis() / 1e3;
    }

    private static Figure told(String name, double value) {
        return Figure.told(NAME, name, value, "s");
    }

    /** Hosts that went from one lease to another. */
    private record HandOvers(int count, int outOfOrder) {

        static HandOvers of(Tail tail, Set<String> due) {
            Map<String, Long> released = positions(tail, "ReservationReleased");
            Map<String, Long> starting = positions(tail, "LeaseStarting");
            Map<Long, String> predecessors = new HashMap<>();
            Map<Long, String> successors = new HashMap<>();
            tail.events("ReservationGranted")
                    .forEach(
                            event ->
                                    (due.contains(event.lease()) ? successors : predecessors)
                                            .put(event.resource(), event.lease()));
            int count = 0;
            int outOfOrder = 0;
            for (Map.Entry<Long, String> before : predecessors.entrySet()) {
                String after = successors.get(before.getKey());
                if (after != null) {
                    count++;
                    long letGo = released.getOrDefault(before.getValue(), Long.MAX_VALUE);
                    outOfOrder += starting.getOrDefault(after, 0L) < letGo ? 1 : 0;
                }
            }
            return new HandOvers(count, outOfOrder);
        }

        private static Map<String, Long> positions(Tail tail, String type) {
            return tail.events(type)
                    .collect(Collectors.toMap(Tail.Event::lease, Tail.Event::position, Long::max));
        }
    }
}
