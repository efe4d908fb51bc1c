package org.leasehold.bench.site;

import org.leasehold.bench.load.AdminHttpClient;
import org.leasehold.bench.load.LoadGenerator;
import org.leasehold.bench.load.LoadProfile;
import org.leasehold.bench.load.RandomLeaseWindows;
import org.leasehold.bench.load.WorkloadClient;
import org.leasehold.bench.measurement.Settings;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** An engine with hosts and leases, and all its clients. */
public record BenchmarkSite(
        Settings settings,
        Engine engine,
        AdminHttpClient gateway,
        Database database,
        WorkloadClient fleet,
        CommitRateBaseline baseline)
        implements AutoCloseable {

    private static final Duration CATCH_UP_TIMEOUT = Duration.ofMinutes(5);
    private static final int POLL_INTERVAL_MILLIS = 20;

    /** Checks only recent leases: a check of all would take longer than the measured time. */
    private static final String LEASES_WITHOUT_TIMER_QUERY =
            """
            SELECT count(*) FROM lease l
            WHERE created_at > now() - interval '10 seconds' AND status = 'PENDING'
                AND NOT EXISTS (SELECT FROM timer WHERE task_instance = 'start:' || l.lease_id)
            """;

    private static final String LAG = "leasehold_projection_lag{";
    private static final String TASKS = "SELECT count(*) FROM plugin_task";

    public static BenchmarkSite small(Settings settings, Path folder)
            throws IOException, InterruptedException {
        return open(settings, folder, settings.port(), settings.hosts(), List.of());
    }

    /** Opens a large site with many more hosts, also next to a small one. */
    public static BenchmarkSite large(Settings settings, Path folder)
            throws IOException, InterruptedException {
        return open(settings, folder, settings.port() + 1, settings.manyHosts(), List.of());
    }

    /** Opens a small site with an option of the engine. */
    public static BenchmarkSite small(Settings settings, Path folder, String option)
            throws IOException, InterruptedException {
        return open(settings, folder, settings.port(), settings.hosts(), List.of(option));
    }

    /** Opens a small site that publishes to a broker. */
    public static BenchmarkSite publishing(
            Settings settings, Path folder, KafkaProcess broker, String... options)
            throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(List.of(options));
        all.add("--leasehold.kafka.bootstrap-servers=" + broker.address());
        return open(settings, folder, settings.port(), settings.hosts(), all);
    }

    private static BenchmarkSite open(
            Settings settings, Path folder, int port, int hosts, List<String> options)
            throws IOException, InterruptedException {
        Engine engine = Engine.start(settings, folder, port, hosts, options);
        AdminHttpClient gateway = engine.gateway();
        Database database = engine.database();
        return new BenchmarkSite(
                settings,
                engine,
                gateway,
                database,
                new WorkloadClient(gateway, RandomLeaseWindows.after(Instant.now(), hosts)),
                new CommitRateBaseline(database, folder));
    }

    /** Creates leases of the next months, each by a request of a client. */
    public void reserve(int leases, PrintStream out)
            throws IOException, SQLException, InterruptedException {
        out.printf(Locale.ROOT, "making %,d leases%n", leases);
        LoadGenerator.run(LoadProfile.closed(settings.maxClients(), leases), fleet::reserve)
                .requireSuccess();
        awaitCatchUp();
    }

    public void enrol(int hosts, PrintStream out)
            throws IOException, SQLException, InterruptedException {
        out.printf(Locale.ROOT, "enrolling %,d hosts%n", hosts);
        fleet.enrol(hosts, settings.maxClients());
        awaitCatchUp();
        await(() -> database.queryNumber(TASKS) == 0);
    }

    /**
     * Returns the seconds from now until every processor has processed every event, and every lease
     * has its timers. The tables of leases and claims never lag.
     */
    public double awaitCatchUp() throws IOException, SQLException, InterruptedException {
        long began = System.nanoTime();
        double caughtUp;
        do {
            await(() -> maxLag() <= 0);
            caughtUp = (System.nanoTime() - began) / 1e9;
        } while (database.queryNumber(LEASES_WITHOUT_TIMER_QUERY) > 0);
        return caughtUp;
    }

    /** Work that returns the number of expected responses. */
    public interface Work {
        long countResponses() throws IOException, SQLException, InterruptedException;
    }

    /** Returns the CPU time of engine and database, with projections, in ms per response. */
    public double measureCpuPerResponse(Work work)
            throws IOException, SQLException, InterruptedException {
        awaitCatchUp();
        CpuTime before = engine.cpuTime();
        long answers = work.countResponses();
        awaitCatchUp();
        CpuTime used = engine.cpuTime().since(before);
        return 1e3 * (used.engine() + used.database()) / answers;
    }

    /** Returns the greatest lag in events, from the processors: stored positions are older. */
    private double maxLag() throws IOException {
        return gateway.get("/actuator/prometheus")
                .text()
                .lines()
                .filter(line -> line.startsWith(LAG))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .max()
                .orElseThrow();
    }

    /** A condition to wait for. */
    public interface Condition {
        boolean holds() throws IOException, SQLException;
    }

    public static void await(Condition condition)
            throws IOException, SQLException, InterruptedException {
        long began = System.nanoTime();
        while (!condition.holds()) {
            if (System.nanoTime() - began > CATCH_UP_TIMEOUT.toNanos()) {
                throw new IllegalStateException("What was waited for does not come");
            }
            Thread.sleep(POLL_INTERVAL_MILLIS);
        }
    }

    @Override
    public void close() throws IOException {
        engine.close();
    }
}
