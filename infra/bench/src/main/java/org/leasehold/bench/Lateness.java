package org.leasehold.bench;

import org.HdrHistogram.Histogram;

import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;

/** How late leases start: when there is nothing else to do, and when all start in one second. */
record Lateness(Settings settings, Gateway gateway, Database database) implements Benchmark {

    private static final int CALM = 20;
    private static final Duration APART = Duration.ofMillis(1_700);

    /** Over before the storm, which needs every host. */
    private static final Duration CALM_LASTS = Duration.ofSeconds(10);

    /** Over before the second one, too. */
    private static final Duration FIRST_STORM_LASTS = Duration.ofSeconds(20);

    private static final Duration STORM_LASTS = Duration.ofHours(1);

    /** Slower than this nobody creates them. */
    private static final int CREATES_PER_SECOND = 40;

    private static final Duration LEAD = Duration.ofSeconds(10);
    private static final Duration STARTS_WITHIN = Duration.ofMinutes(3);

    /** From the later of its start and its acceptance, in microseconds. */
    private static final String OF_EVENT =
            """
            SELECT extract(epoch FROM e.recorded_at - greatest(
                (r.payload->'period'->>'start')::timestamptz, r.recorded_at)) * 1000000
            FROM domain_event r JOIN domain_event e USING (stream_id)
            WHERE r.event_type = 'LeaseRequested' AND r.payload->>'name' = ? AND e.event_type = ?
            """;

    @Override
    public List<Figure> run() throws IOException, SQLException, InterruptedException {
        Instant first = Instant.now().plus(LEAD);
        start("calm", CALM, number -> first.plus(APART.multipliedBy(number)), CALM_LASTS);
        // The first storm of an engine's life is late because its machine code is yet to be made.
        storm("first storm", FIRST_STORM_LASTS);
        storm("storm", STORM_LASTS);
        List<Figure> figures = new ArrayList<>();
        figures.addAll(figures("calm", "idle", 500));
        figures.addAll(
                figures("first storm", settings.storm() + " at once, the first time", 2_000));
        figures.addAll(figures("storm", settings.storm() + " at once", 2_000));
        return figures;
    }

    /** All start in one second, as soon as that many can have been asked for. */
    private void storm(String name, Duration lasting) throws SQLException, InterruptedException {
        Instant second =
                Instant.now()
                        .plusSeconds(settings.storm() / CREATES_PER_SECOND)
                        .plus(LEAD)
                        .truncatedTo(ChronoUnit.SECONDS);
        start(name, settings.storm(), _ -> second, lasting);
    }

    private void start(String name, int count, IntFunction<Instant> starts, Duration lasting)
            throws SQLException, InterruptedException {
        AtomicInteger next = new AtomicInteger();
        ClosedLoop.run(
                        Math.min(count, settings.clients()),
                        201,
                        ClosedLoop.times(count),
                        _ ->
                                gateway.post(
                                        "/api/leases",
                                        lease(name, starts.apply(next.getAndIncrement()), lasting)))
                .clean();
        Instant deadline = starts.apply(count - 1).plus(STARTS_WITHIN);
        while (late(name, "LeaseActivated").size() < count) {
            if (Instant.now().isAfter(deadline)) {
                throw new IllegalStateException("not every lease of the " + name + " has started");
            }
            Thread.sleep(500);
        }
    }

    private static String lease(String name, Instant start, Duration lasting) {
        return """
        {"name": "%s", "start": "%s", "end": "%s",
         "reservations": [{"kind": "physical:host", "parameters": %s}]}\
        """
                .formatted(name, start, start.plus(lasting), Fleet.parameters(1, ""));
    }

    private List<Double> late(String name, String event) throws SQLException {
        return database.numbers(OF_EVENT, name, event);
    }

    private List<Figure> figures(String name, String when, double limit) throws SQLException {
        Histogram decided = histogram(late(name, "LeaseStarting"));
        Histogram ready = histogram(late(name, "LeaseActivated"));
        return List.of(
                told(when + ", decision stored, p50", decided.getValueAtPercentile(50)),
                Figure.below(
                        "lateness",
                        when + ", decision stored, p99",
                        decided.getValueAtPercentile(99) / 1e3,
                        "ms",
                        limit),
                told(when + ", decision stored, longest", decided.getMaxValue()),
                told(when + ", hosts ready, p50", ready.getValueAtPercentile(50)),
                told(when + ", hosts ready, p99", ready.getValueAtPercentile(99)),
                told(when + ", hosts ready, longest", ready.getMaxValue()));
    }

    private static Figure told(String name, long micros) {
        return Figure.told("lateness", name, micros / 1e3, "ms");
    }

    private static Histogram histogram(List<Double> micros) {
        Histogram histogram = new Histogram(3);
        micros.forEach(value -> histogram.recordValue(Math.max(0, Math.round(value))));
        return histogram;
    }
}
