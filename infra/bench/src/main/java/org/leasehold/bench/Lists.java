package org.leasehold.bench;

import java.io.IOException;
import java.util.List;
import java.util.Locale;

/** The latency of listing leases, one page and all. */
record Lists(Site site) implements Benchmark {

    private static final String NAME = "list";
    private static final int WHOLE = 20;
    private static final int PAGES = 1_000;
    private static final int FEWEST_PAGES = 50;

    @Override
    public void warmUp() throws InterruptedException {
        alone(WHOLE, "/v1/leases");
        alone(pages(), "/api/leases?limit=100");
    }

    @Override
    public List<Figure> round() throws IOException, InterruptedException {
        Memory before = Memory.of(site);
        Load.Outcome whole = alone(WHOLE, "/v1/leases");
        Memory after = Memory.of(site);
        Load.Outcome page = alone(pages(), "/api/leases?limit=100");
        String all = String.format(Locale.ROOT, "all %,d leases, ", site.settings().leases());
        return List.of(
                Figure.told(NAME, "a page of 100, p50", page.millis(50), "ms"),
                Figure.told(NAME, "a page of 100, p99", page.millis(99), "ms").below(10),
                Figure.told(NAME, all + "p50", whole.millis(50), "ms"),
                Figure.told(NAME, all + "longest of 20", whole.millis(100), "ms").below(300),
                Figure.told(NAME, all + "heap before", before.heapMib(), "MiB"),
                Figure.told(NAME, all + "heap after", after.heapMib(), "MiB"));
    }

    private int pages() {
        return site.settings().sized(PAGES, FEWEST_PAGES);
    }

    private Load.Outcome alone(int times, String path) throws InterruptedException {
        return Load.run(Pace.closed(1, times), _ -> site.gateway().get(path)).clean();
    }
}
