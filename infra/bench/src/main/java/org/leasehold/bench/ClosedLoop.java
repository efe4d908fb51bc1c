package org.leasehold.bench;

import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
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

/** Clients that each ask again as soon as they are answered. */
final class ClosedLoop {

    private static final long LONGEST = TimeUnit.MINUTES.toMicros(2);
    private static final long SEED = 20_131_013;

    private ClosedLoop() {}

    /** Asks once; the random numbers differ from client to client, not from run to run. */
    interface Question {
        Gateway.Answer ask(SplittableRandom random) throws IOException, InterruptedException;
    }

    /** Whether a client asks once more. */
    interface Condition {
        boolean holds();
    }

    static Condition during(int seconds) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        return () -> System.nanoTime() < end;
    }

    static Condition times(int count) {
        var left = new java.util.concurrent.atomic.AtomicInteger(count);
        return () -> left.decrementAndGet() >= 0;
    }

    static Outcome run(int clients, int success, Condition condition, Question question)
            throws InterruptedException {
        SplittableRandom seeds = new SplittableRandom(SEED);
        List<Future<Tally>> running = new ArrayList<>();
        long began = System.nanoTime();
        Tally total = new Tally(success);
        try (ExecutorService threads = Executors.newFixedThreadPool(clients)) {
            for (int i = 0; i < clients; i++) {
                SplittableRandom random = seeds.split();
                running.add(threads.submit(() -> client(success, condition, question, random)));
            }
            for (Future<Tally> client : running) {
                total.add(client.get());
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException("A client gave up", e.getCause());
        }
        return new Outcome(total, (System.nanoTime() - began) / 1e9);
    }

    private static Tally client(
            int success, Condition condition, Question question, SplittableRandom random)
            throws IOException, InterruptedException {
        Tally tally = new Tally(success);
        while (condition.holds()) {
            tally.add(question.ask(random));
        }
        return tally;
    }

    /** What the clients saw. */
    record Outcome(Tally tally, double seconds) {

        double perSecond() {
            return tally.successes() / seconds;
        }

        double millis(double percentile) {
            return tally.latency.getValueAtPercentile(percentile) / 1e3;
        }

        double longestMillis() {
            return tally.latency.getMaxValue() / 1e3;
        }

        /** Fails unless everything succeeded. */
        Outcome clean() {
            if (tally.failures() > 0) {
                throw new IllegalStateException(tally.statuses + ", for example: " + tally.example);
            }
            return this;
        }
    }

    /** Statuses, and the latency of what succeeded. */
    static final class Tally {

        private final int success;
        private final Histogram latency = new Histogram(LONGEST, 3);
        private final Map<Integer, Long> statuses = new TreeMap<>();
        private @Nullable String example;

        Tally(int success) {
            this.success = success;
        }

        private void add(Gateway.Answer answer) {
            statuses.merge(answer.status(), 1L, Long::sum);
            if (answer.status() == success) {
                latency.recordValue(Math.min(LONGEST, answer.nanos() / 1_000));
            } else if (example == null) {
                example = answer.text();
            }
        }

        private void add(Tally other) {
            latency.add(other.latency);
            other.statuses.forEach((status, count) -> statuses.merge(status, count, Long::sum));
            if (example == null) {
                example = other.example;
            }
        }

        long successes() {
            return statuses.getOrDefault(success, 0L);
        }

        long failures() {
            return statuses.values().stream().mapToLong(Long::longValue).sum() - successes();
        }

        Map<Integer, Long> statuses() {
            return statuses;
        }

        @Nullable String example() {
            return example;
        }
    }
}
