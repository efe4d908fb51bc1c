package org.leasehold.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/**
 * Leases created per second, compared with the commits of the same server per second.
 *
 * @param name the name of the benchmark
 * @param way the way to create leases
 * @param goal creates per baseline
 * @param slowest the goal for the 99th percentile, in milliseconds; 0 for none
 * @param clients the number of concurrent clients
 */
record Creates(
        String name, Site site, Way way, double goal, double slowest, int clients, PrintStream out)
        implements Benchmark {

    private static final int BASELINE_SECONDS = 3;
    private static final double NEARLY_CAUGHT_UP = 1;

    /** Creates leases at a given pace. */
    interface Way {
        Load.Outcome create(Pace pace) throws IOException, InterruptedException;

        static Way overHttp(Site site) {
            return pace -> Load.run(pace, site.fleet()::reserve);
        }

        static Way throughBus(Site site) {
            return pace -> site.engine().run(new Errand.Reserve(pace, site.fleet().someday()));
        }
    }

    static Creates overHttp(Site site, int clients, PrintStream out) {
        return new Creates("creates", site, Way.overHttp(site), 0.5, 50, clients, out);
    }

    static Creates throughBus(Site site, int clients, PrintStream out) {
        return new Creates("bus", site, Way.throughBus(site), 1.5, 0, clients, out);
    }

    Creates named(String otherName) {
        return new Creates(otherName, site, way, goal, slowest, clients, out);
    }

    @Override
    public void warmUp() throws IOException, SQLException, InterruptedException {
        way.create(Pace.closed(clients, Duration.ofSeconds(site.settings().warmUp())));
        site.catchUp();
    }

    @Override
    public List<Figure> round() throws IOException, SQLException, InterruptedException {
        double baseline =
                site.baseline().measure(clients, site.settings().sized(BASELINE_SECONDS, 1));
        CpuTime before = site.engine().cpuTime();
        Load.Outcome created = way.create(site.settings().pace(clients));
        CpuTime used = site.engine().cpuTime().since(before);
        double behind = site.catchUp();
        if (created.tally().failures() > 0) {
            out.printf(
                    "%s: answers by status %s, for example: %s%n",
                    name, created.tally().statuses(), created.tally().example());
        }
        String c = clients + " clients: ";
        Figure perBaseline = told(c + "per baseline", created.perSecond() / baseline, "");
        Figure p99 = told(c + "p99", created.millis(99), "ms");
        boolean closed = site.settings().rate() == 0;
        return List.of(
                told(c + "created", created.perSecond(), "/s"),
                told(c + "baseline, begin/insert/commit", baseline, "/s"),
                closed ? perBaseline.atLeast(goal) : perBaseline,
                told(c + "p50", created.millis(50), "ms"),
                slowest > 0 ? p99.below(slowest) : p99,
                told(c + "p99.9", created.millis(99.9), "ms"),
                told(c + "not granted", (double) created.tally().failures(), ""),
                told(c + "every processor has caught up within", behind, "s")
                        .below(NEARLY_CAUGHT_UP),
                perCreate(c + "CPU per create, engine", used.engine(), created),
                perCreate(c + "CPU per create, database", used.database(), created),
                perCreate(c + "CPU per create, clients", used.clients(), created),
                perCreate(c + "CPU per create, others", used.others(), created),
                told(c + "CPU idle", 100 * used.idle() / used.total(), "%"));
    }

    private Figure told(String figure, double value, String unit) {
        return Figure.told(name, figure, value, unit);
    }

    private Figure perCreate(String figure, double used, Load.Outcome created) {
        return told(figure, 1e3 * used / created.tally().successes(), "ms");
    }
}
