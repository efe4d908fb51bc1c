package org.leasehold.bench.create;

import org.leasehold.bench.load.LoadGenerator;
import org.leasehold.bench.load.LoadGenerator.Answer;
import org.leasehold.bench.load.LoadProfile;
import org.leasehold.bench.load.RandomLeaseWindows.Window;
import org.leasehold.bench.load.WorkloadClient;
import org.leasehold.bench.measurement.Benchmark;
import org.leasehold.bench.measurement.BenchmarkMetric;
import org.leasehold.bench.site.BenchmarkSite;

import tools.jackson.databind.json.JsonMapper;

import java.io.IOException;
import java.io.PrintStream;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Requests of many concurrent users, each kind at its own rate. These are creates of hosts and
 * instances with idempotency keys, changes, deletes, repeated creates, reads, and refused creates.
 * Many resources are claimed in the time ahead.
 */
public final class MixedLoadBenchmark implements Benchmark {

    private static final String NAME = "mix";

    /** Enough clients for a kind to keep its rate while responses take half a second. */
    private static final int CLIENTS = 32;

    private static final int SECONDS = 10;

    /** The number of leases that changes and deletes need in a round. */
    private static final int LEASES_PER_ROUND = 600;

    private static final Duration DAY = Duration.ofDays(1);
    private static final Duration EXTENSION = Duration.ofMinutes(30);
    private static final double MAX_P99_MILLIS = 500;
    private static final int CONFLICT = 409;
    private static final int OK = 200;

    /** Statuses that no server sends. */
    private static final int STATUS_DIFFERENT_LEASE = 599;

    private static final int STATUS_NOT_REFUSED = 598;
    private static final JsonMapper JSON = new JsonMapper();

    private final BenchmarkSite site;
    private final PrintStream out;
    private final Deque<Made> createdLeases = new ConcurrentLinkedDeque<>();
    private final List<Kind> kinds =
            List.of(
                    new Kind("create of a host", 60, this::createHost),
                    new Kind("create of instances", 40, this::createInstances),
                    new Kind("create of instances for a day", 5, this::createForADay),
                    new Kind("change", 25, _ -> change()),
                    new Kind("delete", 25, _ -> delete()),
                    new Kind("create sent again", 5, _ -> repeatCreate()),
                    new Kind("create that is refused", 10, this::createRefused),
                    new Kind("read of a lease", 40, _ -> read()),
                    new Kind("page of leases", 10, _ -> listPage()));

    private final AtomicLong fillCount = new AtomicLong();
    private long warmUpFailures;

    public MixedLoadBenchmark(BenchmarkSite site, PrintStream out) {
        this.site = site;
        this.out = out;
    }

    /** Requests of one kind, with a rate per second. */
    record Kind(String name, double perSecond, LoadGenerator.Question question) {}

    /** A lease, and the request that created it. */
    private record Made(String id, Instant end, String key, String body) {}

    @Override
    public void warmUp() throws IOException, SQLException, InterruptedException {
        createMissingLeases();
        List<LoadGenerator.Outcome> outcomes = runAllKinds();
        describeFailures("warm-up", outcomes);
        warmUpFailures = failures(outcomes);
    }

    @Override
    public List<BenchmarkMetric> round() throws IOException, SQLException, InterruptedException {
        createMissingLeases();
        List<LoadGenerator.Outcome> outcomes = new ArrayList<>();
        double perAnswer =
                site.measureCpuPerResponse(
                        () -> {
                            outcomes.addAll(runAllKinds());
                            return outcomes.stream()
                                    .mapToLong(outcome -> outcome.tally().successes())
                                    .sum();
                        });
        describeFailures(NAME, outcomes);
        List<BenchmarkMetric> figures = new ArrayList<>();
        figures.add(BenchmarkMetric.of(NAME, "CPU per answer", perAnswer, "ms"));
        figures.addAll(figures(kinds, outcomes, warmUpFailures));
        return figures;
    }

    /**
     * Returns the results of the clients.
     *
     * @param outcomes one for each kind
     */
    static List<BenchmarkMetric> figures(
            List<Kind> kinds, List<LoadGenerator.Outcome> outcomes, long warmUpFailures) {
        List<BenchmarkMetric> figures = new ArrayList<>();
        double answered = outcomes.stream().mapToDouble(LoadGenerator.Outcome::perSecond).sum();
        figures.add(BenchmarkMetric.of(NAME, "answered as expected", answered, "/s"));
        for (int i = 0; i < kinds.size(); i++) {
            String name = kinds.get(i).name();
            LoadGenerator.Outcome outcome = outcomes.get(i);
            figures.add(BenchmarkMetric.of(NAME, name, outcome.perSecond(), "/s"));
            figures.add(BenchmarkMetric.of(NAME, name + ", p50", outcome.millis(50), "ms"));
            figures.add(
                    BenchmarkMetric.of(NAME, name + ", p99", outcome.millis(99), "ms")
                            .below(MAX_P99_MILLIS));
        }
        figures.add(BenchmarkMetric.of(NAME, "failures", (double) failures(outcomes), "").below(1));
        figures.add(
                BenchmarkMetric.of(NAME, "failures of the warm-up", (double) warmUpFailures, "")
                        .below(1));
        return figures;
    }

    private static long failures(List<LoadGenerator.Outcome> outcomes) {
        return outcomes.stream().mapToLong(outcome -> outcome.tally().failures()).sum();
    }

    private void describeFailures(String of, List<LoadGenerator.Outcome> outcomes) {
        for (int i = 0; i < kinds.size(); i++) {
            LoadGenerator.Tally tally = outcomes.get(i).tally();
            if (tally.failures() > 0) {
                out.printf(
                        "%s, %s: answers by status %s, for example: %s%n",
                        of, kinds.get(i).name(), tally.statuses(), tally.example());
            }
        }
    }

    /** Creates leases of hosts and instances alternately: changes and deletes take the oldest. */
    private void createMissingLeases() throws InterruptedException {
        int missing = LEASES_PER_ROUND - createdLeases.size();
        if (missing > 0) {
            LoadGenerator.run(
                            LoadProfile.closed(CLIENTS, missing),
                            random ->
                                    fillCount.getAndIncrement() % 2 == 0
                                            ? createHost(random)
                                            : createInstances(random))
                    .requireSuccess();
        }
    }

    private List<LoadGenerator.Outcome> runAllKinds() {
        Duration time = Duration.ofSeconds(site.settings().sized(SECONDS, 1));
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            return kinds.stream()
                    .map(kind -> CompletableFuture.supplyAsync(() -> run(kind, time), threads))
                    .toList()
                    .stream()
                    .map(CompletableFuture::join)
                    .toList();
        }
    }

    private static LoadGenerator.Outcome run(Kind kind, Duration time) {
        try {
            return LoadGenerator.run(
                    LoadProfile.open(CLIENTS, time, kind.perSecond()), kind.question());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CompletionException(e);
        }
    }

    private Answer createHost(SplittableRandom random) throws IOException {
        Window window = site.fleet().someday().next(random);
        return create(window, WorkloadClient.hostRequest(window));
    }

    private Answer createInstances(SplittableRandom random) throws IOException {
        Window window = site.fleet().someday().next(random);
        return create(window, WorkloadClient.instancesRequest(window, 1 + random.nextInt(4)));
    }

    private Answer createForADay(SplittableRandom random) throws IOException {
        Instant start = site.fleet().someday().next(random).start();
        Window window = new Window(start, start.plus(DAY));
        return create(window, WorkloadClient.instancesRequest(window, 1));
    }

    private Answer create(Window window, String body) throws IOException {
        String key = UUID.randomUUID().toString();
        Answer answer = site.gateway().post("/api/leases", body, key);
        if (answer.isSuccess()) {
            createdLeases.addLast(new Made(id(answer), window.end(), key, body));
        }
        return answer;
    }

    /** Moves the end of a lease later. */
    private Answer change() throws IOException {
        Made lease = takeOldest();
        Instant end = lease.end().plus(EXTENSION);
        Answer answer =
                site.gateway()
                        .patch("/api/leases/" + lease.id(), "{\"end\": \"%s\"}".formatted(end));
        createdLeases.addLast(
                answer.isSuccess() ? new Made(lease.id(), end, lease.key(), lease.body()) : lease);
        return answer;
    }

    private Answer delete() throws IOException {
        return site.gateway().delete("/api/leases/" + takeOldest().id());
    }

    private Answer repeatCreate() throws IOException {
        Made lease = takeOldest();
        Answer answer = site.gateway().post("/api/leases", lease.body(), lease.key());
        createdLeases.addLast(lease);
        return answer.isSuccess() && !id(answer).equals(lease.id())
                ? new Answer(STATUS_DIFFERENT_LEASE, answer.body())
                : answer;
    }

    /** Requests all hosts with the property, at a time when some are leased. */
    private Answer createRefused(SplittableRandom random) throws IOException {
        Answer answer = site.fleet().reserveAll(site.settings().manyHosts() / 2, random);
        return new Answer(answer.status() == CONFLICT ? OK : STATUS_NOT_REFUSED, answer.body());
    }

    private Answer read() throws IOException {
        Made lease = takeOldest();
        Answer answer = site.gateway().get("/api/leases/" + lease.id());
        createdLeases.addLast(lease);
        return answer;
    }

    private Answer listPage() throws IOException {
        return site.gateway().get("/v1/leases?limit=100");
    }

    private static String id(Answer lease) {
        return JSON.readTree(lease.body()).path("id").asString();
    }

    private Made takeOldest() {
        Made oldest = createdLeases.pollFirst();
        if (oldest == null) {
            throw new NoSuchElementException("There are no leases to change");
        }
        return oldest;
    }
}
