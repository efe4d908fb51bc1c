package org.leasehold.bench;

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
import java.util.Map;

/** What was measured, as a table and as JSON. */
record Report(Instant at, Settings settings, List<Figure> figures) {

    Report {
        figures = List.copyOf(figures);
    }

    void print(PrintStream out) {
        out.printf("%-14s %-38s %12s %-4s %s%n", "benchmark", "figure", "measured", "", "goal");
        for (Figure figure : figures) {
            out.printf(
                    "%-14s %-38s %12.3f %-4s %s%n",
                    figure.benchmark(), figure.name(), figure.value(), figure.unit(), goal(figure));
        }
    }

    private static String goal(Figure figure) {
        Figure.Goal goal = figure.goal();
        return goal == null
                ? ""
                : "%s %s %s"
                        .formatted(goal.relation(), goal.limit(), goal.met() ? "met" : "NOT MET");
    }

    Path write() throws IOException {
        Map<String, Object> report = new LinkedHashMap<>();
        report.put("at", at.toString());
        report.put("seconds", settings.seconds());
        report.put("clients", settings.clients());
        report.put("hosts", settings.hosts());
        report.put("leases", settings.leases());
        report.put("storm", settings.storm());
        report.put("processors", Runtime.getRuntime().availableProcessors());
        report.put("java", Runtime.version().toString());
        report.put("figures", figures);
        String name = at.truncatedTo(ChronoUnit.SECONDS).toString().replace(':', '-') + ".json";
        Path file = Files.createDirectories(settings.results()).resolve(name);
        JsonMapper.builder()
                .enable(SerializationFeature.INDENT_OUTPUT)
                .build()
                .writeValue(file, report);
        return file;
    }
}
