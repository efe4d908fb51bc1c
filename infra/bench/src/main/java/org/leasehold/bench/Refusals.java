package org.leasehold.bench;

import org.leasehold.bench.Load.Answer;

import java.io.IOException;
import java.io.PrintStream;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * The CPU time of a refusal, compared with that of a create, and the latency of creates during
 * refusals. Many resources are claimed in the time ahead.
 */
record Refusals(Site site, PrintStream out) implements Benchmark {

    private static final String NAME = "refusals";
    private static final int CLIENTS = 8;
    private static final int SECONDS = 10;
    private static final double REFUSED_PER_SECOND = 50;
    private static final double CREATED_PER_SECOND = 100;
    private static final double MOST_PER_CREATE = 2;
    private static final double SLOWEST_CREATE = 500;
    private static final int CONFLICT = 409;
    private static final int NOT_REFUSED = 599;

    @Override
    public void warmUp() throws IOException, SQLException, InterruptedException {
        Load.run(closed(), site.fleet()::reserve).clean();
        Load.run(closed(), this::refused).clean();
        site.catchUp();
    }

    @Override
    public List<Figure> round() throws IOException, SQLException, InterruptedException {
        double perCreate = cpuPer(site.fleet()::reserve);
        double perRefusal = cpuPer(this::refused);
        Load.Outcome created = createdWhileOthersAreRefused();
        if (created.tally().failures() > 0) {
            out.printf(
                    "%s: %s, for example: %s%n",
                    NAME, created.tally().statuses(), created.tally().example());
        }
        return List.of(
                Figure.told(NAME, "CPU per create", perCreate, "ms"),
                Figure.told(NAME, "CPU per refusal", perRefusal, "ms"),
                Figure.told(NAME, "refusal per create", perRefusal / perCreate, "")
                        .below(MOST_PER_CREATE),
                Figure.told(NAME, "creates beside refusals, p50", created.millis(50), "ms"),
                Figure.told(NAME, "creates beside refusals, p99", created.millis(99), "ms")
                        .below(SLOWEST_CREATE),
                Figure.told(NAME, "not granted", (double) created.tally().failures(), ""));
    }

    private double cpuPer(Load.Question question)
            throws IOException, SQLException, InterruptedException {
        return site.cpuPerAnswer(() -> Load.run(closed(), question).clean().tally().successes());
    }

    private Load.Outcome createdWhileOthersAreRefused() throws InterruptedException {
        CompletableFuture<Load.Outcome> refused =
                CompletableFuture.supplyAsync(
                        () -> {
                            try {
                                return Load.run(open(REFUSED_PER_SECOND), this::refused).clean();
                            } catch (InterruptedException e) {
                                Thread.currentThread().interrupt();
                                throw new CompletionException(e);
                            }
                        });
        Load.Outcome created = Load.run(open(CREATED_PER_SECOND), site.fleet()::reserve);
        refused.join();
        return created;
    }

    private Pace closed() {
        return Pace.closed(CLIENTS, time());
    }

    private Pace open(double perSecond) {
        return Pace.open(CLIENTS, time(), perSecond);
    }

    private Duration time() {
        return Duration.ofSeconds(site.settings().sized(SECONDS, 1));
    }

    /** Requests all hosts with the property at a time when some are leased. */
    private Answer refused(SplittableRandom random) throws IOException {
        Answer answer = site.fleet().reserveAll(site.settings().manyHosts() / 2, random);
        return new Answer(answer.status() == CONFLICT ? 200 : NOT_REFUSED, answer.body());
    }
}
