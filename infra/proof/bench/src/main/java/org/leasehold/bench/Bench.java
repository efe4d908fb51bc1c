package org.leasehold.bench;

import org.jspecify.annotations.Nullable;
import org.leasehold.bench.create.CreateBenchmark;
import org.leasehold.bench.create.MixedLoadBenchmark;
import org.leasehold.bench.create.RefusalBenchmark;
import org.leasehold.bench.create.ScalingBenchmark;
import org.leasehold.bench.create.SoakBenchmark;
import org.leasehold.bench.event.HistoryGenerator;
import org.leasehold.bench.event.PublishingBenchmark;
import org.leasehold.bench.event.ReplayBenchmark;
import org.leasehold.bench.measurement.Benchmark;
import org.leasehold.bench.measurement.BenchmarkMetric;
import org.leasehold.bench.measurement.Report;
import org.leasehold.bench.measurement.Settings;
import org.leasehold.bench.query.AsOfBenchmark;
import org.leasehold.bench.query.AuditHistoryGenerator;
import org.leasehold.bench.query.AuditSearchBenchmark;
import org.leasehold.bench.query.AvailabilityBenchmark;
import org.leasehold.bench.query.LeaseFilterBenchmark;
import org.leasehold.bench.query.ListBenchmark;
import org.leasehold.bench.query.StalledConnectionsBenchmark;
import org.leasehold.bench.site.BenchmarkSite;
import org.leasehold.bench.site.BulkLeaseLoader;
import org.leasehold.bench.site.EngineProfiler;
import org.leasehold.bench.site.KafkaProcess;
import org.leasehold.bench.site.Machine;
import org.leasehold.bench.start.ColdStartBenchmark;
import org.leasehold.bench.start.IdleStartBenchmark;
import org.leasehold.bench.start.PolledStartsBenchmark;
import org.leasehold.bench.start.RetriedRequestsBenchmark;
import org.leasehold.bench.start.StartStormBenchmark;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Starts the product, fills it, and runs the requested benchmarks. It compares figures with goals;
 * it fails only if a benchmark has no figure.
 */
public final class Bench {

    /** Benchmarks in their order: lists must run before more leases are created. */
    private static final List<String> SMALL_SITE_BENCHMARKS =
            List.of("list", "stalled", "idle", "polled", "coldstart");

    private static final List<String> CREATE_BENCHMARKS = List.of("creates", "bus");

    private static final List<String> LARGE_SITE_BENCHMARKS =
            List.of("availability", "refusals", "mix", "storm");

    /** Benchmarks on a long history. */
    private static final List<String> AUDIT_HISTORY_BENCHMARKS = List.of("as-of", "audit");

    /** Benchmarks that take longer than all others together, or need unusual data. */
    private static final List<String> OPTIONAL_BENCHMARKS =
            List.of("flat", "soak", "replay", "as-of", "audit", "publish", "filters", "retries");

    /** Prints the name of each benchmark on a line, and measures nothing. */
    private static final String LIST = "--list";

    private final Settings settings;
    private final PrintStream out;
    private final Path folder;
    private final Instant now = Instant.now();
    private final Map<String, String> machine = new LinkedHashMap<>();
    private final List<BenchmarkMetric> figures = new ArrayList<>();
    private final Set<String> measured = new HashSet<>();

    private Bench(Settings settings, PrintStream out, Path folder) {
        this.settings = settings;
        this.out = out;
        this.folder = folder;
    }

    public static void main(String[] arguments)
            throws IOException, SQLException, InterruptedException {
        List<String> usual = new ArrayList<>(SMALL_SITE_BENCHMARKS);
        usual.addAll(CREATE_BENCHMARKS);
        usual.addAll(LARGE_SITE_BENCHMARKS);
        if (List.of(arguments).equals(List.of(LIST))) {
            Stream.of(usual, OPTIONAL_BENCHMARKS)
                    .flatMap(List::stream)
                    .forEach(System.out::println);
            return;
        }
        Settings settings = Settings.parse(usual, OPTIONAL_BENCHMARKS, arguments);
        if (settings.folder() != null) {
            new Bench(settings, System.out, Files.createDirectories(settings.folder())).run();
            return;
        }
        Path folder = Files.createTempDirectory("leasehold-bench-");
        new Bench(settings, System.out, folder).run();
        delete(folder);
    }

    private void run() throws IOException, SQLException, InterruptedException {
        if (isWanted(SMALL_SITE_BENCHMARKS) || isWanted("flat") || isWanted("soak")) {
            Path small = folder.resolve("few");
            try (BenchmarkSite site = BenchmarkSite.small(settings, small)) {
                reportMachine(site);
                site.enrol(settings.hosts(), out);
                site.reserve(settings.leases(), out);
                measure("list", site, new ListBenchmark(site), settings.rounds());
                measure("stalled", site, new StalledConnectionsBenchmark(site), settings.rounds());
                measure("idle", site, new IdleStartBenchmark(site), 1);
                measure("polled", site, new PolledStartsBenchmark(site), settings.rounds());
                measure("soak", site, new SoakBenchmark(site, out), 1);
                if (isWanted("flat")) {
                    measureGrowth(site);
                }
            }
            ColdStartBenchmark coldStart =
                    new ColdStartBenchmark(settings, small, folder.resolve("installed"));
            measure("coldstart", null, coldStart, settings.rounds());
        }
        for (int clients : settings.clients()) {
            measureCreates("creates", site -> CreateBenchmark.overHttp(site, clients, out));
            measureCreates("bus", site -> CreateBenchmark.throughBus(site, clients, out));
        }
        if (isWanted("replay")) {
            Path past = folder.resolve("past");
            try (BenchmarkSite site = BenchmarkSite.small(settings, past)) {
                site.enrol(settings.hosts(), out);
                new HistoryGenerator(site, out).write(settings.events());
            }
            try (BenchmarkSite site = BenchmarkSite.small(settings, past)) {
                reportMachine(site);
                measure("replay", site, new ReplayBenchmark(site, out), 1);
            }
        }
        if (isWanted(AUDIT_HISTORY_BENCHMARKS)) {
            Path trail = folder.resolve("trail");
            AuditHistoryGenerator.write(settings, trail, false, out);
            try (BenchmarkSite site = BenchmarkSite.small(settings, trail)) {
                reportMachine(site);
                measure("as-of", site, new AsOfBenchmark(site, out), settings.rounds());
                measure("audit", site, new AuditSearchBenchmark(site), settings.rounds());
            }
        }
        measurePublishing();
        measureFilters();
        measureRetries();
        if (isWanted(LARGE_SITE_BENCHMARKS)) {
            Path many = folder.resolve("many");
            fillLargeSite(many, 0);
            try (BenchmarkSite site = BenchmarkSite.large(settings, many)) {
                reportMachine(site);
                measure("availability", site, new AvailabilityBenchmark(site), settings.rounds());
                measure("refusals", site, new RefusalBenchmark(site, out), settings.rounds());
                measure("mix", site, new MixedLoadBenchmark(site, out), settings.rounds());
                measure("storm", site, new StartStormBenchmark(site, out), 1);
            }
        }
        report();
    }

    /** Measures on a new engine each time: half a million live leases fill the heap. */
    private void measureCreates(String name, Function<BenchmarkSite, CreateBenchmark> creates)
            throws IOException, SQLException, InterruptedException {
        if (isWanted(name)) {
            Path fresh = Files.createTempDirectory(folder, name);
            try (BenchmarkSite site = BenchmarkSite.small(settings, fresh)) {
                reportMachine(site);
                site.enrol(settings.hosts(), out);
                site.reserve(settings.leases(), out);
                measure(name, site, creates.apply(site), settings.rounds());
            }
        }
    }

    private void measurePublishing() throws IOException, SQLException, InterruptedException {
        if (!isWanted("publish")) {
            return;
        }
        Path backlog = folder.resolve("backlog");
        AuditHistoryGenerator.write(settings, backlog, true, out);
        try (KafkaProcess broker = KafkaProcess.start(folder)) {
            // Publications of leases and usage would run besides, and cost the reading of events.
            try (BenchmarkSite site =
                    BenchmarkSite.publishing(
                            settings,
                            backlog,
                            broker,
                            "--leasehold.kafka.leases-topic=",
                            "--leasehold.kafka.usage-topic=")) {
                reportMachine(site);
                measure("publish", site, new PublishingBenchmark(site, broker), settings.rounds());
            }
        }
    }

    private void measureFilters() throws IOException, SQLException, InterruptedException {
        if (!isWanted("filters")) {
            return;
        }
        Path listed = Files.createTempDirectory(folder, "listed");
        try (BenchmarkSite site = BenchmarkSite.small(settings, listed)) {
            reportMachine(site);
            measure("filters", site, new LeaseFilterBenchmark(site, out), settings.rounds());
        }
    }

    private void measureRetries() throws IOException, SQLException, InterruptedException {
        if (!isWanted("retries")) {
            return;
        }
        Path retried = Files.createTempDirectory(folder, "retried");
        try (BenchmarkSite site =
                BenchmarkSite.small(settings, retried, RetriedRequestsBenchmark.option())) {
            reportMachine(site);
            site.enrol(settings.hosts(), out);
            measure("retries", site, new RetriedRequestsBenchmark(site, out), settings.rounds());
        }
    }

    private void measureGrowth(BenchmarkSite small)
            throws IOException, SQLException, InterruptedException {
        Path grown = folder.resolve("grown");
        fillLargeSite(grown, settings.pastLeases());
        try (BenchmarkSite large = BenchmarkSite.large(settings, grown)) {
            for (int clients : settings.clients()) {
                measure(
                        "flat",
                        large,
                        ScalingBenchmark.of(small, large, clients, out),
                        settings.rounds());
            }
        }
    }

    /** Fills a large site. Most of the leases are copies, made while no engine runs. */
    private void fillLargeSite(Path site, int pastLeases)
            throws IOException, SQLException, InterruptedException {
        try (BenchmarkSite growing = BenchmarkSite.large(settings, site)) {
            growing.enrol(settings.manyHosts(), out);
            int ahead = settings.manyLeases();
            out.printf(
                    Locale.ROOT,
                    "copying %,d leases ahead and %,d that are over%n",
                    ahead,
                    pastLeases);
            BulkLeaseLoader.load(growing, ahead, pastLeases);
        }
    }

    private boolean isWanted(String name) {
        return settings.names().contains(name);
    }

    private boolean isWanted(List<String> names) {
        return names.stream().anyMatch(this::isWanted);
    }

    private void measure(String name, @Nullable BenchmarkSite site, Benchmark benchmark, int rounds)
            throws IOException, SQLException, InterruptedException {
        if (!isWanted(name)) {
            return;
        }
        out.println("\nmeasuring " + name);
        benchmark.warmUp();
        EngineProfiler profile =
                settings.profile() && site != null
                        ? EngineProfiler.start(
                                site.engine(), settings.results().resolve(name + ".jfr"))
                        : null;
        List<List<BenchmarkMetric>> all = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            all.add(benchmark.round());
        }
        if (profile != null) {
            profile.stop(out);
        }
        List<BenchmarkMetric> merged = BenchmarkMetric.merge(all);
        Report.print(out, merged);
        figures.addAll(merged);
        if (merged.stream().anyMatch(BenchmarkMetric::isNumber)) {
            measured.add(name);
        }
    }

    private void reportMachine(BenchmarkSite site) throws IOException, SQLException {
        if (machine.isEmpty()) {
            machine.putAll(Machine.facts(site.database()));
            Report.print(out, machine);
        }
    }

    private void report() throws IOException {
        Report report = new Report(now, settings, machine, figures);
        if (settings.markdown() != null) {
            Files.writeString(settings.markdown(), report.markdown());
        }
        out.println("\n" + report.write());
        List<String> missing =
                settings.names().stream().filter(name -> !measured.contains(name)).toList();
        if (!missing.isEmpty()) {
            throw new IllegalStateException("These benchmarks have no figures: " + missing);
        }
        List<String> broken =
                figures.stream()
                        .filter(figure -> !figure.isNumber())
                        .map(BenchmarkMetric::name)
                        .toList();
        if (!broken.isEmpty()) {
            throw new IllegalStateException("These figures are no numbers: " + broken);
        }
    }

    private static void delete(Path folder) throws IOException {
        try (var files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
