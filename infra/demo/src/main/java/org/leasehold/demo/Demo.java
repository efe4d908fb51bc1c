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
 * Fills a fresh database with a past, and prints its totals. The database is {@code --folder data}
 * for the embedded default, or {@code --url jdbc:… --user … --password …}. Options are {@code
 * --seed 1}, {@code --days 365}, and {@code --until} an instant, by default the current hour.
 * Without a database, it only prints. With {@code --engine}, it requests leases.
 */
public final class Demo {

    private static final Set<String> KNOWN =
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

    private final Map<String, String> asked;

    private Demo(Map<String, String> asked) {
        this.asked = asked;
    }

    public static void main(String[] arguments)
            throws IOException, SQLException, InterruptedException {
        Demo demo = new Demo(parsed(arguments));
        if (demo.asked.containsKey("folder")) {
            try (Database database = Database.in(Path.of(demo.said("folder", "")))) {
                demo.fill(database);
            }
        } else if (demo.asked.containsKey("url")) {
            demo.fill(
                    Database.at(
                            demo.said("url", ""),
                            demo.said("user", ""),
                            demo.said("password", "")));
        } else if (demo.asked.containsKey("engine")) {
            demo.goOn();
        } else {
            demo.live();
        }
    }

    private static Map<String, String> parsed(String[] arguments) {
        Map<String, String> asked = new TreeMap<>();
        for (int i = 0; i < arguments.length; i += 2) {
            String name = arguments[i].replaceFirst("^--", "");
            if (!KNOWN.contains(name) || i + 1 == arguments.length) {
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

    private String said(String name, String otherwise) {
        return asked.getOrDefault(name, otherwise);
    }

    private void fill(Database database) throws SQLException, InterruptedException {
        try (HikariDataSource connections = database.connect()) {
            Database.requireFresh(connections);
            List<DomainEventMessage<?>> history = live();
            long began = System.nanoTime();
            Filling.fill(database, connections, history);
            tell("Written and read again", began);
        }
    }

    private void goOn() throws IOException, InterruptedException {
        Path clouds = Path.of(said("clouds", "data/clouds.yaml"));
        Ahead.Outcome outcome =
                new Ahead(URI.create(said("engine", "")), clouds).ask(seed(), until());
        System.out.printf(
                "%d leases of the next days were made, %d were refused, %d are there already%n",
                outcome.made(), outcome.refused(), outcome.there());
    }

    private long seed() {
        return Long.parseLong(said("seed", "1"));
    }

    private Instant until() {
        Instant now = Instant.now();
        Instant until =
                asked.containsKey("until")
                        ? Instant.parse(said("until", ""))
                        : now.truncatedTo(ChronoUnit.HOURS);
        if (until.isAfter(now)) {
            throw new IllegalArgumentException("--until is yet to come: " + until);
        }
        return until;
    }

    private List<DomainEventMessage<?>> live() {
        long seed = seed();
        int days = Integer.parseInt(said("days", "365"));
        Instant until = until();
        long began = System.nanoTime();
        List<DomainEventMessage<?>> history = Past.of(Demand.of(seed, until, days), seed);
        tell("Lived through %s days until %s".formatted(days, until), began);
        System.out.print(Totals.of(history));
        System.out.println("SHA-256 " + Totals.digest(history));
        return history;
    }

    private static void tell(String what, long began) {
        Duration took = Duration.ofNanos(System.nanoTime() - began);
        System.out.printf(Locale.ROOT, "%s in %.1f s%n", what, took.toMillis() / 1e3);
    }
}
