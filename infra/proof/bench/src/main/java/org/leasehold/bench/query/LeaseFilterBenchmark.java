package org.leasehold.bench.query;

import org.leasehold.bench.load.LoadGenerator;
import org.leasehold.bench.load.LoadProfile;
import org.leasehold.bench.measurement.Benchmark;
import org.leasehold.bench.measurement.BenchmarkMetric;
import org.leasehold.bench.site.BenchmarkSite;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.io.IOException;
import java.io.PrintStream;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Function;

/** The latency of the first page and of a deep page of lists of very many leases. */
public record LeaseFilterBenchmark(
        BenchmarkSite site, Map<String, List<String>> deepPages, PrintStream out)
        implements Benchmark {

    private static final String NAME = "filters";
    private static final String PAGE = "/api/leases?limit=100&";
    private static final int DEEP_PAGE = 10;
    private static final int LISTS = 20;
    private static final int REQUESTS = 100;
    private static final int MIN_REQUESTS = 5;
    private static final double GOAL_MILLIS = 20;
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private static final int MONTHS = 22;
    private static final int PROJECTS = 100;
    private static final int USERS = 1_000;
    private static final int RESOURCES = 1_000;

    /** Creates a benchmark; the warm-up adds the leases. */
    public LeaseFilterBenchmark(BenchmarkSite site, PrintStream out) {
        this(site, new LinkedHashMap<>(), out);
    }

    @Override
    public void warmUp() throws IOException, SQLException, InterruptedException {
        LeaseTableFiller.fill(site, out);
        for (Map.Entry<String, Function<SplittableRandom, String>> list : lists().entrySet()) {
            SplittableRandom random = new SplittableRandom(28);
            List<String> pages = new ArrayList<>();
            for (int i = 0; i < site.settings().sized(LISTS, 1); i++) {
                pages.add(deepPage(list.getValue().apply(random)));
            }
            deepPages.put(list.getKey(), pages);
        }
    }

    /** Returns the query of the tenth page of a list, or of the last one. */
    private String deepPage(String list) throws IOException {
        String deepest = list;
        for (int page = 1; page < DEEP_PAGE; page++) {
            JsonNode next = JSON.readTree(site.gateway().get(PAGE + deepest).text()).path("next");
            if (next.isNull()) {
                return deepest;
            }
            deepest = list + "&marker=" + next.asString();
        }
        return deepest;
    }

    @Override
    public List<BenchmarkMetric> round() throws InterruptedException {
        List<BenchmarkMetric> figures = new ArrayList<>();
        for (Map.Entry<String, Function<SplittableRandom, String>> list : lists().entrySet()) {
            String name = list.getKey();
            LoadGenerator.Outcome first = measure(list.getValue());
            List<String> pages = deepPages.getOrDefault(name, List.of());
            LoadGenerator.Outcome deep = measure(random -> pages.get(random.nextInt(pages.size())));
            figures.add(
                    BenchmarkMetric.of(NAME, name + ", p50", first.millis(50), "ms")
                            .below(GOAL_MILLIS));
            figures.add(BenchmarkMetric.of(NAME, name + ", p99", first.millis(99), "ms"));
            figures.add(
                    BenchmarkMetric.of(NAME, name + ", tenth page, p50", deep.millis(50), "ms"));
            figures.add(
                    BenchmarkMetric.of(NAME, name + ", tenth page, p99", deep.millis(99), "ms"));
        }
        return figures;
    }

    private LoadGenerator.Outcome measure(Function<SplittableRandom, String> list)
            throws InterruptedException {
        return LoadGenerator.run(
                        LoadProfile.closed(1, site.settings().sized(REQUESTS, MIN_REQUESTS)),
                        random -> site.gateway().get(PAGE + list.apply(random)))
                .requireSuccess();
    }

    private static Map<String, Function<SplittableRandom, String>> lists() {
        Map<String, Function<SplittableRandom, String>> lists = new LinkedHashMap<>();
        lists.put("all", _ -> "order=created");
        lists.put("newest", _ -> "order=-created");
        lists.put("by start", _ -> "order=start");
        lists.put("by end, last first", _ -> "order=-end");
        lists.put("project", LeaseFilterBenchmark::project);
        lists.put("project by start", random -> project(random) + "&order=start");
        lists.put("project by end, last first", random -> project(random) + "&order=-end");
        lists.put("name", LeaseFilterBenchmark::name);
        lists.put("project, name", random -> project(random) + "&" + name(random));
        lists.put("user", LeaseFilterBenchmark::user);
        lists.put("project, user", random -> project(random) + "&" + user(random));
        lists.put("common kind", _ -> "kind=physical:host");
        lists.put("rare kind", _ -> "kind=virtual:network");
        lists.put("kind in mixed leases", _ -> "kind=virtual:floatingip");
        lists.put("project, rare kind", random -> project(random) + "&kind=virtual:network");
        lists.put("resource", LeaseFilterBenchmark::resource);
        lists.put("project, resource", random -> project(random) + "&" + resource(random));
        lists.put("active", _ -> "status=active");
        lists.put("in error: none", _ -> "status=error,deleting");
        lists.put("project, in error: none", random -> project(random) + "&status=error");
        lists.put("ended, newest", _ -> "status=ended&order=-created");
        lists.put("month", LeaseFilterBenchmark::month);
        lists.put("month by start", random -> month(random) + "&order=start");
        lists.put("project, month", random -> project(random) + "&" + month(random));
        lists.put(
                "project, month by start, last first",
                random -> project(random) + "&" + month(random) + "&order=-start");
        lists.put(
                "project, month, name, kind and user",
                random ->
                        String.join(
                                "&",
                                project(random),
                                month(random),
                                name(random),
                                user(random),
                                "kind=physical:host"));
        return lists;
    }

    private static String project(SplittableRandom random) {
        return "project=project-" + random.nextInt(PROJECTS);
    }

    private static String user(SplittableRandom random) {
        return "user=user-" + random.nextInt(USERS);
    }

    private static String name(SplittableRandom random) {
        return "name=" + (100 + random.nextInt(900));
    }

    private static String resource(SplittableRandom random) {
        return "resource=" + (1 + random.nextInt(RESOURCES));
    }

    private static String month(SplittableRandom random) {
        Instant start = Instant.now().minus(Duration.ofDays(30L * (1 + random.nextInt(MONTHS))));
        return "end_after=%s&start_before=%s".formatted(start, start.plus(Duration.ofDays(30)));
    }
}
