package org.leasehold.bench.query;

import org.leasehold.bench.load.LoadGenerator;
import org.leasehold.bench.load.LoadProfile;
import org.leasehold.bench.measurement.Benchmark;
import org.leasehold.bench.measurement.BenchmarkMetric;
import org.leasehold.bench.site.BenchmarkSite;

import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;

/** The latency of the first page of an auditor's search in a long history. */
public record AuditSearchBenchmark(BenchmarkSite site) implements Benchmark {

    private static final String NAME = "audit";
    private static final String EVENTS = "/api/audit/events?limit=100&";
    private static final int MAX_REQUESTS = 500;

    private static final String KIND = "kind=physical:host";
    private static final int PROJECTS = 200;
    private static final int USERS = 1_000;
    private static final int RESOURCES = 2_000;

    /** A search, for another subject each time. */
    private interface Question {
        String query(SplittableRandom random);
    }

    @Override
    public void warmUp() throws InterruptedException {
        for (Question question : searches().values()) {
            measureSearch(question);
        }
    }

    @Override
    public List<BenchmarkMetric> round() throws SQLException, InterruptedException {
        List<BenchmarkMetric> figures = new ArrayList<>();
        for (String table : List.of("domain_event", "audit_subject")) {
            double bytes =
                    site.database()
                            .queryNumber("SELECT pg_total_relation_size('%s')".formatted(table));
            figures.add(
                    BenchmarkMetric.of(NAME, table + ", with indexes", bytes / (1 << 20), "MiB"));
        }
        for (Map.Entry<String, Question> question : searches().entrySet()) {
            LoadGenerator.Outcome answered = measureSearch(question.getValue());
            String name = "by " + question.getKey();
            figures.add(BenchmarkMetric.of(NAME, name + ", p50", answered.millis(50), "ms"));
            figures.add(
                    BenchmarkMetric.of(NAME, name + ", p99", answered.millis(99), "ms").below(50));
        }
        return figures;
    }

    private LoadGenerator.Outcome measureSearch(Question question) throws InterruptedException {
        // A short history is for a quick run only.
        return LoadGenerator.run(
                        LoadProfile.closed(
                                1, Math.min(MAX_REQUESTS, site.settings().events() / 100)),
                        random -> site.gateway().get(EVENTS + question.query(random)))
                .requireSuccess();
    }

    private Map<String, Question> searches() {
        Map<String, Question> questions = new LinkedHashMap<>();
        questions.put("nothing", _ -> "");
        questions.put("lease", random -> "lease=" + id(random));
        questions.put("project", AuditSearchBenchmark::project);
        questions.put("user", random -> "user=user-" + random.nextInt(USERS));
        questions.put("resource", random -> "resource=" + (1 + random.nextInt(RESOURCES)));
        questions.put("kind", _ -> KIND);
        questions.put("type", _ -> "type=LeaseEnding");
        questions.put("request", random -> "request=req-" + id(random));
        questions.put("a week of the year", AuditSearchBenchmark::week);
        questions.put("project, in a week", random -> project(random) + "&" + week(random));
        questions.put("kind, in a week", random -> KIND + "&" + week(random));
        questions.put("project and type", random -> project(random) + "&type=LeaseEnded");
        questions.put(
                "user, kind and type, in a week",
                random ->
                        "user=user-%s&%s&type=LeaseRequested&%s"
                                .formatted(random.nextInt(USERS), KIND, week(random)));
        // No event is about both.
        questions.put("project and user that never met", _ -> "project=project-1&user=user-2");
        return questions;
    }

    private static String project(SplittableRandom random) {
        return "project=project-" + random.nextInt(PROJECTS);
    }

    private static String week(SplittableRandom random) {
        Instant from = Instant.now().minus(Duration.ofDays(8L + random.nextInt(350)));
        return "from=%s&to=%s".formatted(from, from.plus(Duration.ofDays(7)));
    }

    /** Returns the id of a lease or of its request. */
    private UUID id(SplittableRandom random) {
        return new UUID(
                0,
                random.nextInt(
                        Math.max(
                                1,
                                site.settings().events()
                                        / AuditHistoryGenerator.EVENTS_PER_LEASE)));
    }
}
