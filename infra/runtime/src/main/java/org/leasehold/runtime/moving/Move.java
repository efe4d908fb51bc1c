package org.leasehold.runtime.moving;

import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.LeaseId;
import org.leasehold.resource.Plugins;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** The whole of moving in: reads, plans, tells, and does it if that is wanted and can be done. */
public final class Move {

    private final MovingSettings settings;
    private final Duration cleaning;
    private final Plugins plugins;
    private final MovingIn movingIn;

    /**
     * Prepares it.
     *
     * @param cleaning how long a resource is kept after a lease here
     */
    public Move(MovingSettings settings, Duration cleaning, Plugins plugins, MovingIn movingIn) {
        this.settings = settings;
        this.cleaning = cleaning;
        this.plugins = plugins;
        this.movingIn = movingIn;
    }

    /**
     * Runs it.
     *
     * @param out takes what is told, line by line
     * @return whether nothing stood in the way
     * @throws IllegalArgumentException if the database is none that can be read
     */
    public boolean run(Consumer<String> out) throws SQLException, IOException {
        Blazar blazar = read();
        Plan plan =
                Planner.plan(
                        blazar,
                        settings.without().stream()
                                .map(LeaseId::of)
                                .collect(Collectors.toUnmodifiableSet()),
                        cleaning,
                        plugins);
        movingIn.check(plan);
        out.accept("Blazar's schema has the revision " + blazar.revision() + ".");
        Path configuration = settings.configuration();
        if (configuration != null) {
            BlazarConfiguration its = BlazarConfiguration.parse(Files.readAllLines(configuration));
            its.explainTo(plan);
            tell("These of its settings mean something here:", its.ours(), out);
        }
        tell(plan, out);
        if (!plan.obstacles().isEmpty()) {
            out.accept("Nothing is done as long as anything stands in the way.");
            return false;
        }
        if (!settings.doIt()) {
            out.accept("Nothing stands in the way. Nothing was done: --import does it.");
            return true;
        }
        List<Note> failures = movingIn.carryOut(plan);
        tell("These did not come:", failures, out);
        out.accept(failures.isEmpty() ? "Everything has come." : "Everything else has come.");
        return failures.isEmpty();
    }

    private Blazar read() throws SQLException {
        try (Connection connection =
                DriverManager.getConnection(settings.url(), settings.user(), settings.password())) {
            return BlazarDatabase.read(connection);
        }
    }

    private static void tell(Plan plan, Consumer<String> out) {
        Map<ResourceKind, Long> resources =
                plan.resources().stream()
                        .collect(
                                Collectors.groupingBy(
                                        Plan.Newcomer::kind,
                                        () ->
                                                new TreeMap<>(
                                                        (one, other) ->
                                                                one.value()
                                                                        .compareTo(other.value())),
                                        Collectors.counting()));
        resources.forEach(
                (kind, count) -> out.accept("%d resources %s come.".formatted(count, kind)));
        Map<String, Long> leases =
                plan.leases().stream()
                        .collect(
                                Collectors.groupingBy(
                                        lease -> lease.past().stage().name(),
                                        TreeMap::new,
                                        Collectors.counting()));
        leases.forEach((stage, count) -> out.accept("%d leases %s come.".formatted(count, stage)));
        tell("These come otherwise than they were:", plan.changed(), out);
        tell("These are left behind:", plan.left(), out);
        if (!plan.leases().isEmpty()) {
            out.accept("Of each lease, the trust and the ids of its plugins' records stay there.");
        }
        tell("These stand in the way:", plan.obstacles(), out);
    }

    private static void tell(String title, List<?> lines, Consumer<String> out) {
        if (!lines.isEmpty()) {
            out.accept(title);
            lines.forEach(line -> out.accept("  " + line));
        }
    }
}
