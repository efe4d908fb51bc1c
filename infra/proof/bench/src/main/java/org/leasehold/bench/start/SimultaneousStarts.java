package org.leasehold.bench.start;

import org.leasehold.bench.load.LoadGenerator;
import org.leasehold.bench.load.LoadProfile;
import org.leasehold.bench.site.BenchmarkSite;

import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Leases that start in the same second, each on its own host; on a tenth of the hosts, another
 * lease ends in that second.
 *
 * @param due the leases that start
 */
record SimultaneousStarts(
        BenchmarkSite site, LeaseEventReader tail, Instant second, Set<String> due) {

    private static final int HOSTS_PER_PREDECESSOR = 10;
    private static final Duration LEAD = Duration.ofSeconds(10);

    /** A rate that every engine reaches. */
    private static final int CREATES_PER_SECOND = 200;

    private static final int SHORT_LEASES = 40;
    private static final int MIN_SHORT_LEASES = 4;

    /** The length of short leases, after which the next measurement has the hosts. */
    private static final Duration SHORT_LENGTH = Duration.ofSeconds(30);

    private static final int POLL_INTERVAL_MILLIS = 100;
    private static final Duration TIMEOUT = Duration.ofMinutes(5);

    /** Returns the number of leases of {@link #createShort}. */
    static int shortLeases(BenchmarkSite site) {
        return site.settings().sized(SHORT_LEASES, MIN_SHORT_LEASES);
    }

    /** Creates short leases, as many as a measurement can repeat soon; see {@link #create}. */
    static SimultaneousStarts createShort(BenchmarkSite site, Instant earliest)
            throws IOException, SQLException, InterruptedException {
        return create(
                site, shortLeases(site), earliest.truncatedTo(ChronoUnit.SECONDS), SHORT_LENGTH);
    }

    /**
     * Creates the leases, and returns just before their second, which is not before the earliest.
     */
    static SimultaneousStarts create(
            BenchmarkSite site, int leases, Instant earliest, Duration lasts)
            throws IOException, SQLException, InterruptedException {
        int predecessors = leases / HOSTS_PER_PREDECESSOR;
        LeaseEventReader tail = LeaseEventReader.fromNow(site.database());
        Instant possible =
                Instant.now()
                        .plus(LEAD)
                        .plusSeconds((leases + predecessors) / CREATES_PER_SECOND)
                        .truncatedTo(ChronoUnit.SECONDS);
        Instant second = possible.isBefore(earliest) ? earliest : possible;
        LoadProfile pace = LoadProfile.closed(site.settings().maxClients(), predecessors);
        LoadGenerator.run(pace, _ -> site.fleet().reserve("before", Instant.now(), second))
                .requireSuccess();
        BenchmarkSite.await(
                () -> {
                    tail.readNew();
                    return tail.events("LeaseActivated").count() >= predecessors;
                });
        pace = LoadProfile.closed(site.settings().maxClients(), leases);
        LoadGenerator.run(pace, _ -> site.fleet().reserve("storm", second, second.plus(lasts)))
                .requireSuccess();
        tail.readNew();
        Set<String> due =
                tail.events("LeaseRequested")
                        .filter(event -> second.equals(event.starts()))
                        .map(LeaseEventReader.Event::lease)
                        .collect(Collectors.toSet());
        Thread.sleep(Duration.between(Instant.now(), second));
        return new SimultaneousStarts(site, tail, second, due);
    }

    /** Waits until all leases run; returns the time that it took to queue all tasks. */
    Duration awaitAllActive() throws SQLException, InterruptedException {
        Duration queued = null;
        while (activated().count() < due.size()) {
            Thread.sleep(POLL_INTERVAL_MILLIS);
            tail.readNew();
            if (queued == null && decisions().size() == due.size() && areTasksQueued()) {
                queued = Duration.between(second, Instant.now());
            }
            if (Duration.between(second, Instant.now()).compareTo(TIMEOUT) > 0) {
                throw new IllegalStateException("Not all leases run");
            }
        }
        return queued == null ? Duration.between(second, Instant.now()) : queued;
    }

    /**
     * Returns the time of the first decision on each lease: it starts, or it waits for the
     * preceding lease on its host.
     */
    Map<String, Instant> decisions() {
        return Stream.concat(tail.events("LeaseStarting"), tail.events("LeaseDelayed"))
                .filter(event -> due.contains(event.lease()))
                .collect(
                        Collectors.toMap(
                                LeaseEventReader.Event::lease,
                                LeaseEventReader.Event::recordedAt,
                                (one, other) -> one.isBefore(other) ? one : other));
    }

    Stream<LeaseEventReader.Event> activated() {
        return tail.events("LeaseActivated").filter(event -> due.contains(event.lease()));
    }

    /** Returns true if all starting leases have or had a task. */
    private boolean areTasksQueued() throws SQLException {
        Set<String> starting =
                tail.events("LeaseStarting")
                        .map(LeaseEventReader.Event::lease)
                        .collect(Collectors.toSet());
        // Tasks first: a task that ends meanwhile has an event.
        Set<String> queued = new HashSet<>();
        try (Connection connection = site.database().connect();
                PreparedStatement tasks =
                        connection.prepareStatement("SELECT lease_id::text FROM plugin_task");
                ResultSet row = tasks.executeQuery()) {
            while (row.next()) {
                queued.add(row.getString(1));
            }
        }
        tail.readNew();
        tail.events("ReservationActivated").map(LeaseEventReader.Event::lease).forEach(queued::add);
        return queued.containsAll(starting);
    }

    HandOvers handOvers() {
        return HandOvers.of(tail, due);
    }

    /**
     * Hosts that passed from one lease to another.
     *
     * @param outOfOrder the number of hosts taken before their release
     */
    record HandOvers(int count, int outOfOrder) {

        private static HandOvers of(LeaseEventReader tail, Set<String> due) {
            Map<String, Long> released = positions(tail, "ReservationReleased");
            Map<String, Long> starting = positions(tail, "LeaseStarting");
            // If a free host replaces one that is not released yet, no host is handed over.
            Set<String> replaced = positions(tail, "ResourceReplaced").keySet();
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
                if (after != null && !replaced.contains(after)) {
                    count++;
                    long letGo = released.getOrDefault(before.getValue(), Long.MAX_VALUE);
                    outOfOrder += starting.getOrDefault(after, 0L) < letGo ? 1 : 0;
                }
            }
            return new HandOvers(count, outOfOrder);
        }

        private static Map<String, Long> positions(LeaseEventReader tail, String type) {
            return tail.events(type)
                    .collect(
                            Collectors.toMap(
                                    LeaseEventReader.Event::lease,
                                    LeaseEventReader.Event::position,
                                    Long::max));
        }
    }
}
