package org.leasehold.bench.event;

import org.leasehold.bench.load.LoadGenerator;
import org.leasehold.bench.load.LoadProfile;
import org.leasehold.bench.measurement.Benchmark;
import org.leasehold.bench.measurement.BenchmarkMetric;
import org.leasehold.bench.site.BenchmarkSite;
import org.leasehold.bench.site.CpuTime;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.io.IOException;
import java.io.PrintStream;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The speed of reading the past: to rebuild read models while they are served, and to verify. */
public record ReplayBenchmark(BenchmarkSite site, PrintStream out) implements Benchmark {

    private static final String NAME = "replay";
    private static final String READ_MODELS = "/api/operations/read-models";
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final Pattern SECONDS = Pattern.compile(" in ([0-9.]+) s: 0 differences");
    private static final int POLL_INTERVAL_MILLIS = 200;

    @Override
    public void warmUp() throws IOException, SQLException, InterruptedException {
        HistoryGenerator.awaitConsumers(
                site.database(),
                site.database().queryNumber("SELECT max(position) FROM domain_event"));
    }

    @Override
    public List<BenchmarkMetric> round() throws IOException, SQLException, InterruptedException {
        long events = site.database().queryNumber("SELECT count(*) FROM domain_event");
        List<BenchmarkMetric> figures = new ArrayList<>();
        figures.add(BenchmarkMetric.of(NAME, "events", (double) events, ""));
        // The first writes little: it shows how fast events can be read and decoded.
        double reading = rebuild("resources", READ_MODELS + "/resources/rebuild", figures);
        figures.add(
                BenchmarkMetric.of(NAME, "read and decoded", (double) events / reading, "/s")
                        .atLeast(40_000));
        rebuild("leases", READ_MODELS + "/leases/rebuild", figures);
        rebuild("all", READ_MODELS + "/rebuild", figures);
        figures.add(BenchmarkMetric.of(NAME, "verified within", verify(), "s"));
        return figures;
    }

    private double verify() throws IOException, InterruptedException {
        String said = site.engine().verify(site.settings());
        out.print("replay: " + said);
        Matcher seconds = SECONDS.matcher(said);
        if (!seconds.find()) {
            throw new IllegalStateException(said);
        }
        return Double.parseDouble(seconds.group(1));
    }

    private double rebuild(String name, String path, List<BenchmarkMetric> figures)
            throws IOException, InterruptedException {
        CpuTime idle = site.engine().cpuTime();
        AtomicBoolean over = new AtomicBoolean();
        LoadGenerator.Outcome served;
        double seconds;
        try (ExecutorService thread = Executors.newSingleThreadExecutor()) {
            Future<LoadGenerator.Outcome> client = thread.submit(() -> readUntil(over));
            try {
                LoadGenerator.Answer begun = site.gateway().post(path, "");
                if (!begun.isSuccess()) {
                    throw new IllegalStateException(begun.text());
                }
                seconds = awaitRebuilt();
            } finally {
                over.set(true);
            }
            served = client.get().requireSuccess();
        } catch (ExecutionException e) {
            throw new IllegalStateException("A request failed", e.getCause());
        }
        CpuTime used = site.engine().cpuTime().since(idle);
        figures.add(BenchmarkMetric.of(NAME, name + " rebuilt within", seconds, "s").below(60));
        figures.add(BenchmarkMetric.of(NAME, name + ", CPU of the engine", used.engine(), "s"));
        figures.add(BenchmarkMetric.of(NAME, name + ", CPU of the database", used.database(), "s"));
        figures.add(BenchmarkMetric.of(NAME, name + ", CPU of others", used.others(), "s"));
        figures.add(
                BenchmarkMetric.of(
                        NAME, name + ", a page of 10 meanwhile, p99", served.millis(99), "ms"));
        figures.add(
                BenchmarkMetric.of(
                        NAME,
                        name + ", a page of 10 meanwhile, longest",
                        served.millis(100),
                        "ms"));
        return seconds;
    }

    /** Sends queries at intervals until the end. */
    private LoadGenerator.Outcome readUntil(AtomicBoolean over)
            throws IOException, InterruptedException {
        LoadGenerator.Outcome seen = readOnce();
        while (!over.get()) {
            seen = seen.plus(readOnce());
            Thread.sleep(20);
        }
        return seen;
    }

    private LoadGenerator.Outcome readOnce() throws InterruptedException {
        return LoadGenerator.run(
                LoadProfile.closed(1, 1), _ -> site.gateway().get("/api/leases?limit=10"));
    }

    /** Returns the duration that the engine reports. */
    private double awaitRebuilt() throws IOException, InterruptedException {
        while (true) {
            JsonNode readModels =
                    JSON.readTree(site.gateway().get(READ_MODELS).text()).path("read_models");
            boolean running = false;
            double longest = 0;
            for (JsonNode readModel : readModels) {
                String state = readModel.path("state").asString();
                if (state.equals("failed")) {
                    throw new IllegalStateException(readModel.toString());
                }
                running |= state.equals("rebuilding");
                if (state.equals("rebuilt")) {
                    Duration took =
                            Duration.between(
                                    Instant.parse(readModel.path("began_at").asString()),
                                    Instant.parse(readModel.path("ended_at").asString()));
                    longest = Math.max(longest, took.toMillis() / 1e3);
                }
            }
            if (!running) {
                return longest;
            }
            Thread.sleep(POLL_INTERVAL_MILLIS);
        }
    }
}
