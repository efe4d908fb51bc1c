package org.leasehold.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.sql.SQLException;
import java.util.List;

/** Leases created per second over HTTP. */
record Creates(
        Settings settings,
        Fleet fleet,
        Engine engine,
        Database database,
        Baseline baseline,
        PrintStream out)
        implements Benchmark {

    private static final String NAME = "create";

    @Override
    public List<Figure> run() throws IOException, SQLException, InterruptedException {
        int aside = Math.max(3, settings.seconds() / 6);
        fleet.reserve(settings.clients(), ClosedLoop.during(settings.warmUp()));
        Baseline.Rate before = baseline.measure(aside);
        Engine.CpuTime idle = engine.cpuTime();
        ClosedLoop.Outcome created =
                fleet.reserve(settings.clients(), ClosedLoop.during(settings.seconds()));
        double behind = database.catchUp();
        Engine.CpuTime used = engine.cpuTime().since(idle);
        Baseline.Rate after = baseline.measure(aside);
        double base = (before.perSecond() + after.perSecond()) / 2;
        out.printf(
                "create: answers by status %s; baseline by %s, before %.0f/s, after %.0f/s%n",
                created.tally().statuses(), before.tool(), before.perSecond(), after.perSecond());
        if (created.tally().failures() > 0) {
            out.println("create: for example: " + created.tally().example());
        }
        return List.of(
                Figure.told(NAME, "leases created", created.perSecond(), "/s"),
                Figure.told(NAME, "baseline, begin/insert/commit", base, "/s"),
                Figure.atLeast(NAME, "creates per baseline", created.perSecond() / base, "", 0.15),
                Figure.told(NAME, "p50", created.millis(50), "ms"),
                Figure.below(NAME, "p99", created.millis(99), "ms", 100),
                Figure.told(NAME, "not granted", (double) created.tally().failures(), ""),
                Figure.below(NAME, "every reader has caught up within", behind, "s", 1),
                perCreate("CPU per create, engine", used.engine(), created),
                perCreate("CPU per create, database", used.database(), created),
                perCreate("CPU per create, clients", used.clients(), created));
    }

    private static Figure perCreate(String name, double used, ClosedLoop.Outcome created) {
        return Figure.told(NAME, name, 1e3 * used / created.tally().successes(), "ms");
    }
}
