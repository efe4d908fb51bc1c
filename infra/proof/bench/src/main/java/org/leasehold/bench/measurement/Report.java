package org.leasehold.bench.measurement;

import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** The figures and the machine: as a table, as JSON, and as Markdown. */
public record Report(
        Instant at, Settings settings, Map<String, String> machine, List<BenchmarkMetric> figures) {

    public Report {
        machine = new LinkedHashMap<>(machine);
        figures = List.copyOf(figures);
    }

    public static void print(PrintStream out, Map<String, String> machine) {
        machine.forEach((name, value) -> out.printf("%-20s %s%n", name, value));
    }

    public static void print(PrintStream out, List<BenchmarkMetric> figures) {
        for (BenchmarkMetric figure : figures) {
            out.printf(
                    "%-13s %-46s %10s %-4s %-19s %s%n",
                    figure.benchmark(),
                    figure.name(),
                    median(figure),
                    figure.unit(),
                    spread(figure),
                    verdict(figure));
        }
    }

    /** Returns the median; none if a round has no value. */
    private static String median(BenchmarkMetric figure) {
        return number(figure.isNumber() ? figure.median() : Double.NaN);
    }

    private static String spread(BenchmarkMetric figure) {
        return !figure.isNumber() || figure.smallest() == figure.largest()
                ? ""
                : number(figure.smallest()) + "–" + number(figure.largest());
    }

    private static String goal(BenchmarkMetric figure) {
        BenchmarkMetric.Goal goal = figure.goal();
        return goal == null ? "" : goal.relation() + " " + number(goal.limit());
    }

    private static String met(BenchmarkMetric figure) {
        Boolean met = figure.met();
        return met == null ? "" : met ? "met" : "not met";
    }

    private static String verdict(BenchmarkMetric figure) {
        return (goal(figure) + "  " + met(figure)).strip();
    }

    /** Formats a number with three digits: the spread makes more useless. */
    private static String number(double value) {
        if (!Double.isFinite(value)) {
            return "none";
        }
        double size = Math.abs(value);
        int decimals = size == 0 || size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3;
        String text = String.format(Locale.ROOT, "%,." + decimals + "f", value);
        return text.contains(".") ? text.replaceAll("\\.?0+$", "") : text;
    }

    public Path write() throws IOException {
        Map<String, Object> report = new LinkedHashMap<>();
        report.put("at", at.toString());
        report.put("machine", machine);
        report.put("settings", settings);
        report.put("figures", figures);
        String name = at.truncatedTo(ChronoUnit.SECONDS).toString().replace(':', '-') + ".json";
        Path file = Files.createDirectories(settings.results()).resolve(name);
        JsonMapper.builder()
                .enable(SerializationFeature.INDENT_OUTPUT)
                .build()
                .writeValue(file, report);
        return file;
    }

    /** Returns the page of results, ready to paste. */
    public String markdown() {
        StringBuilder page = new StringBuilder();
        page.append("Measured at ").append(at.truncatedTo(ChronoUnit.MINUTES)).append(" by `");
        page.append("infra/proof/bench/run ").append(settings.command()).append("`:\n");
        page.append(
                machine.entrySet().stream()
                        .map(fact -> fact.getKey() + " " + fact.getValue())
                        .collect(Collectors.joining("; ", "", ".\n\n")));
        page.append("| Benchmark | Figure | Median | Spread | Goal | |\n");
        page.append("|---|---|---|---|---|---|\n");
        String before = "";
        for (BenchmarkMetric figure : figures) {
            page.append(
                    "| %s | %s | %s | %s | %s | %s |%n"
                            .formatted(
                                    figure.benchmark().equals(before) ? "" : figure.benchmark(),
                                    figure.name(),
                                    (median(figure) + " " + figure.unit()).strip(),
                                    spread(figure),
                                    goal(figure),
                                    met(figure).equals("not met") ? "**not met**" : met(figure)));
            before = figure.benchmark();
        }
        return page.toString();
    }
}
