package org.leasehold.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Starts the product, fills it, and measures what is asked for. */
public final class Bench {

    private static final List<String> NAMES =
            List.of("list", "availability", "create", "lateness", "replay");

    private final Settings settings;
    private final PrintStream out;
    private final Instant now = Instant.now();

    private Bench(Settings settings, PrintStream out) {
        this.settings = settings;
        this.out = out;
    }

    public static void main(String[] arguments)
            throws IOException, SQLException, InterruptedException {
        new Bench(Settings.parse(NAMES, arguments), System.out).run();
    }

    private void run() throws IOException, SQLException, InterruptedException {
        Path folder = Files.createTempDirectory("leasehold-bench-");
        List<Figure> figures = new ArrayList<>();
        try (Engine engine = Engine.start(settings, folder)) {
            Map<String, Benchmark> benchmarks = prepare(engine, folder);
            // In one order, whatever was asked for: the lists are of so many leases, before more
            // are made.
            for (String name : NAMES.stream().filter(settings.names()::contains).toList()) {
                out.println("measuring " + name);
                figures.addAll(benchmarks.getOrDefault(name, List::of).run());
            }
        }
        Report report = new Report(now, settings, figures);
        report.print(out);
        out.println(report.write());
        delete(folder);
    }

    private Map<String, Benchmark> prepare(Engine engine, Path folder)
            throws IOException, SQLException, InterruptedException {
        Gateway gateway = engine.gateway();
        Database database = engine.database();
        Fleet fleet = new Fleet(gateway, now);
        out.printf("enrolling %d hosts%n", settings.hosts());
        fleet.enrol(settings.hosts(), settings.clients());
        out.printf("making %d leases%n", settings.leases());
        fleet.reserve(settings.clients(), ClosedLoop.times(settings.leases())).clean();
        database.catchUp();
        Reads reads = new Reads(gateway, settings);
        Map<String, Benchmark> benchmarks = new LinkedHashMap<>();
        benchmarks.put("list", reads::list);
        benchmarks.put("availability", reads::availability);
        benchmarks.put("lateness", new Lateness(settings, gateway, database));
        benchmarks.put("replay", new Replay(settings, engine, gateway, database, out));
        benchmarks.put(
                "create",
                new Creates(
                        settings,
                        fleet,
                        engine,
                        database,
                        new Baseline(database, folder, settings.clients()),
                        out));
        return benchmarks;
    }

    private static void delete(Path folder) throws IOException {
        try (var files = Files.walk(folder)) {
            for (Path file : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
