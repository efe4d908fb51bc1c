package org.leasehold.runtime.moving;

import org.leasehold.inventory.ResourceKind;
import org.leasehold.resource.Plugins;

import java.io.IOException;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** The import from a Blazar: it reads, plans and reports, and imports if requested and possible. */
public final class BlazarImport {

    private final BlazarImportSettings settings;
    private final Duration cleaning;
    private final Plugins plugins;
    private final EngineDatabase engineDatabase;
    private final ImportExecution execution;

    /**
     * Creates an import.
     *
     * @param cleaning the cleaning time of resources in this engine
     */
    public BlazarImport(
            BlazarImportSettings settings,
            Duration cleaning,
            Plugins plugins,
            EngineDatabase own,
            ImportExecution movingIn) {
        this.settings = settings;
        this.cleaning = cleaning;
        this.plugins = plugins;
        this.engineDatabase = own;
        this.execution = movingIn;
    }

    /**
     * Runs the import.
     *
     * @param out takes the report, line by line
     * @return true if nothing prevented the import
     * @throws IllegalArgumentException if the database or the configuration cannot be read
     */
    public boolean run(Consumer<String> out) throws SQLException, IOException {
        BlazarConfigFile configuration =
                BlazarConfigFile.parse(Files.readAllLines(settings.configuration()));
        BlazarSnapshot blazar = read();
        ImportPlan plan =
                ImportPlanner.plan(
                        blazar, settings.without(), cleaning, configuration.beforeEnd(), plugins);
        configuration.addFindings(plan);
        int here = execution.check(plan, engineDatabase.read());
        out.accept("Blazar's schema has the revision " + blazar.revision() + ".");
        print(
                "These of its settings mean something here:",
                configuration.toLeaseholdSettings(),
                out);
        print(plan, out);
        if (here > 0) {
            out.accept("%s of these leases are here already.".formatted(here));
        }
        print("These stand in the way:", plan.obstacles(), out);
        if (!plan.obstacles().isEmpty()) {
            out.accept("Nothing is done as long as anything stands in the way.");
            return false;
        }
        if (!settings.doIt()) {
            out.accept("Nothing is known to stand in the way. Nothing was done: --import does it.");
            return true;
        }
        int failures = execution.execute(plan, out);
        out.accept(failures == 0 ? "Everything has come." : "Everything else has come.");
        return failures == 0;
    }

    private BlazarSnapshot read() throws SQLException {
        try (Connection connection =
                DriverManager.getConnection(settings.url(), settings.user(), settings.password())) {
            return BlazarDatabase.read(connection);
        }
    }

    private static void print(ImportPlan plan, Consumer<String> out) {
        Map<ResourceKind, Long> resources =
                plan.resources().stream()
                        .collect(
                                Collectors.groupingBy(
                                        ImportPlan.Newcomer::kind,
                                        () ->
                                                new TreeMap<>(
                                                        (one, other) ->
                                                                one.value()
                                                                        .compareTo(other.value())),
                                        Collectors.counting()));
        resources.forEach(
                (kind, count) -> out.accept("%s resources %s come.".formatted(count, kind)));
        Map<String, Long> leases =
                plan.leases().stream()
                        .collect(
                                Collectors.groupingBy(
                                        lease -> lease.past().stage().name(),
                                        TreeMap::new,
                                        Collectors.counting()));
        leases.forEach((stage, count) -> out.accept("%s leases %s come.".formatted(count, stage)));
        print("These come otherwise than they were:", plan.changed(), out);
        print("These are left behind:", plan.omissions(), out);
        if (!plan.leases().isEmpty()) {
            out.accept("Of each lease, the trust and the ids of its plugins' records stay there.");
        }
    }

    private static void print(String title, List<?> lines, Consumer<String> out) {
        if (!lines.isEmpty()) {
            out.accept(title);
            lines.forEach(line -> out.accept("  " + line));
        }
    }
}
