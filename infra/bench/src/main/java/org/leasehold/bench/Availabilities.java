package org.leasehold.bench;

import java.io.IOException;
import java.util.List;

/** The latency of finding the earliest time at which ten hosts are free, for one to eight hours. */
record Availabilities(Site site) implements Benchmark {

    private static final String NAME = "availability";
    private static final int HOSTS = 10;
    private static final int QUESTIONS = 2_000;
    private static final int FEWEST_QUESTIONS = 50;

    @Override
    public void warmUp() throws IOException, InterruptedException {
        overHttp();
        inside();
    }

    @Override
    public List<Figure> round() throws IOException, InterruptedException {
        Load.Outcome overHttp = overHttp();
        Load.Outcome inside = inside();
        return List.of(
                Figure.told(NAME, "in the process, p50", inside.millis(50), "ms"),
                Figure.told(NAME, "in the process, p99", inside.millis(99), "ms").below(5),
                Figure.told(NAME, "over HTTP, p50", overHttp.millis(50), "ms"),
                Figure.told(NAME, "over HTTP, p99", overHttp.millis(99), "ms").below(10));
    }

    private Pace questions() {
        return Pace.closed(1, site.settings().sized(QUESTIONS, FEWEST_QUESTIONS));
    }

    private Load.Outcome overHttp() throws InterruptedException {
        return Load.run(
                        questions(),
                        random -> site.fleet().availability(HOSTS, 1 + random.nextInt(8)))
                .clean();
    }

    private Load.Outcome inside() throws IOException {
        return site.engine().run(new Errand.AskAvailability(questions(), HOSTS)).clean();
    }
}
