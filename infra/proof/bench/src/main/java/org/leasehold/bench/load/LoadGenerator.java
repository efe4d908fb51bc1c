package org.leasehold.bench.load;

import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Clients that send requests at a given pace, and their results. */
public final class LoadGenerator {

    private static final long MAX_LATENCY_MICROS = TimeUnit.MINUTES.toMicros(10);
    private static final long SEED = 20_131_013;

    private LoadGenerator() {}

    /** Sends one request; the random numbers differ between clients, not between runs. */
    public interface Question {
        Answer send(SplittableRandom random) throws IOException, InterruptedException;
    }

    /** A response over HTTP, or its equivalent. */
    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    public record Answer(int status, byte[] body) {

        public boolean isSuccess() {
            return status / 100 == 2;
        }

        public String text() {
            return new String(body, StandardCharsets.UTF_8);
        }
    }

    public static Outcome run(LoadProfile pace, Question question) throws InterruptedException {
        SplittableRandom seeds = new SplittableRandom(SEED);
        List<Future<Tally>> running = new ArrayList<>();
        long began = System.nanoTime();
        LoadProfile.Arrivals arrivals = pace.startAt(began);
        Tally total = new Tally();
        try (ExecutorService threads = Executors.newFixedThreadPool(pace.clients())) {
            for (int i = 0; i < pace.clients(); i++) {
                SplittableRandom random = seeds.split();
                running.add(threads.submit(() -> runClient(arrivals, question, random)));
            }
            for (Future<Tally> client : running) {
                total.add(client.get());
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException("A client gave up", e.getCause());
        }
        return new Outcome(total, (System.nanoTime() - began) / 1e9);
    }

    /**
     * Runs a client. The time begins when a request is due, not when it is sent: the engine is
     * charged for delays of the clients.
     */
    private static Tally runClient(
            LoadProfile.Arrivals arrivals, Question question, SplittableRandom random)
            throws IOException, InterruptedException {
        Tally tally = new Tally();
        for (long due = arrivals.next(); due != LoadProfile.END_OF_LOAD; due = arrivals.next()) {
            Answer answer = question.send(random);
            tally.add(answer, System.nanoTime() - due);
        }
        return tally;
    }

    /** The results of the clients. */
    public record Outcome(Tally tally, double seconds) implements Serializable {

        public double perSecond() {
            return tally.successes / seconds;
        }

        /** Returns the latency of successes; NaN if there are none. */
        public double millis(double percentile) {
            return tally.successes == 0
                    ? Double.NaN
                    : tally.latency.getValueAtPercentile(percentile) / 1e3;
        }

        /** Fails unless all requests succeeded. */
        public Outcome requireSuccess() {
            if (tally.failures() > 0) {
                throw new IllegalStateException(tally.statuses + ", for example: " + tally.example);
            }
            return this;
        }

        /** Adds the results of a later run. */
        public Outcome plus(Outcome next) {
            Tally both = new Tally();
            both.add(tally);
            both.add(next.tally);
            return new Outcome(both, seconds + next.seconds);
        }
    }

    /** The statuses, and the latency of successes. */
    public static final class Tally implements Serializable {

        private static final long serialVersionUID = 1L;

        private final Histogram latency = new Histogram(MAX_LATENCY_MICROS, 3);
        private final TreeMap<Integer, Long> statuses = new TreeMap<>();
        private long successes;
        private @Nullable String example;

        private void add(Answer answer, long nanos) {
            statuses.merge(answer.status(), 1L, Long::sum);
            if (answer.isSuccess()) {
                successes++;
                latency.recordValue(Math.min(MAX_LATENCY_MICROS, nanos / 1_000));
            } else if (example == null) {
                example = answer.text();
            }
        }

        private void add(Tally other) {
            latency.add(other.latency);
            successes += other.successes;
            other.statuses.forEach((status, count) -> statuses.merge(status, count, Long::sum));
            if (example == null) {
                example = other.example;
            }
        }

        public long successes() {
            return successes;
        }

        public long failures() {
            return statuses.values().stream().mapToLong(Long::longValue).sum() - successes;
        }

        public Map<Integer, Long> statuses() {
            return statuses;
        }

        public @Nullable String example() {
            return example;
        }
    }
}
