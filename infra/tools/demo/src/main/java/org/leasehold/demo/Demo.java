package org.leasehold.demo;

import com.zaxxer.hikari.HikariDataSource;

import org.axonframework.eventhandling.DomainEventMessage;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Fills a fresh database with a generated history, and prints its totals. The database is {@code
 * --folder data} for the embedded default, or {@code --url jdbc:… --user … --password …}. Options
 * are {@code --seed 1}, {@code --days 365}, and {@code --until} an instant, by default the current
 * hour. Without a database, it only prints. With {@code --engine}, it requests leases.
 */
public final class Demo {

    private static final Set<String> OPTIONS =
            Set.of(
                    "folder",
                    "url",
                    "user",
                    "password",
                    "engine",
                    "clouds",
                    "seed",
                    "days",
                    "until");

    private final Map<String, String> options;

    private Demo(Map<String, String> asked) {
        this.options = asked;
    }

    public static void main(String[] arguments)
            throws IOException, SQLException, InterruptedException {
        Demo demo = new Demo(parseOptions(arguments));
        if (demo.options.containsKey("folder")) {
            try (TargetDatabase database =
                    TargetDatabase.embedded(Path.of(demo.option("folder", "")))) {
                demo.fill(database);
            }
        } else if (demo.options.containsKey("url")) {
            demo.fill(
                    TargetDatabase.external(
                            demo.option("url", ""),
                            demo.option("user", ""),
                            demo.option("password", "")));
        } else if (demo.options.containsKey("engine")) {
            demo.requestFutureLeases();
        } else {
            demo.generateHistory();
        }
    }

    private static Map<String, String> parseOptions(String[] arguments) {
        Map<String, String> asked = new TreeMap<>();
        for (int i = 0; i < arguments.length; i += 2) {
            String name = arguments[i].replaceFirst("^--", "");
            if (!OPTIONS.contains(name) || i + 1 == arguments.length) {
                throw new IllegalArgumentException(
                        "usage: run [--folder F | --url U --user U --password P] [--seed 1]"
                                + " [--days 365] [--until INSTANT]\n"
                                + "   or: run --engine URL [--clouds data/clouds.yaml] [--seed 1]"
                                + " [--until INSTANT]");
            }
            asked.put(name, arguments[i + 1]);
        }
        return asked;
    }

    private String option(String name, String otherwise) {
        return options.getOrDefault(name, otherwise);
    }

    private void fill(TargetDatabase database) throws SQLException, InterruptedException {
        try (HikariDataSource connections = database.connect()) {
            TargetDatabase.requireFresh(connections);
            List<DomainEventMessage<?>> history = generateHistory();
            long began = System.nanoTime();
            DatabaseFiller.fill(database, connections, history);
            printDuration("Written and read again", began);
        }
    }

    private void requestFutureLeases() throws IOException, InterruptedException {
        Path clouds = Path.of(option("clouds", "data/clouds.yaml"));
        FutureLeaseRequests.Outcome outcome =
                new FutureLeaseRequests(URI.create(option("engine", "")), clouds)
                        .sendAll(seed(), until());
        System.out.printf(
                "%d leases of the next days were made, %d were refused, %d are there already%n",
                outcome.made(), outcome.refused(), outcome.there());
    }

    private long seed() {
        return Long.parseLong(option("seed", "1"));
    }

    private Instant until() {
        Instant now = Instant.now();
        Instant until =
                options.containsKey("until")
                        ? Instant.parse(option("until", ""))
                        : now.truncatedTo(ChronoUnit.HOURS);
        if (until.isAfter(now)) {
            throw new IllegalArgumentException("--until is yet to come: " + until);
        }
        return until;
    }

    private List<DomainEventMessage<?>> generateHistory() {
        long seed = seed();
        int days = Integer.parseInt(option("days", "365"));
        Instant until = until();
        long began = System.nanoTime();
        List<DomainEventMessage<?>> history =
                EventLogGenerator.of(Workload.of(seed, until, days), seed);
        printDuration("Lived through %s days until %s".formatted(days, until), began);
        System.out.print(Totals.of(history));
        System.out.println("SHA-256 " + Totals.digest(history));
        return history;
    }

    private static void printDuration(String what, long began) {
        Duration took = Duration.ofNanos(System.nanoTime() - began);
        System.out.printf(Locale.ROOT, "%s in %.1f s%n", what, took.toMillis() / 1e3);
    }
}
