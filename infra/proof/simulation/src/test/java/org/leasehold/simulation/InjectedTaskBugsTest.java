package org.leasehold.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.Allocation;
import org.leasehold.resource.Acting;
import org.leasehold.resource.Planning;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.Survey;
import org.leasehold.simulation.scenario.Scenario;
import org.leasehold.simulation.scenario.Step;
import org.leasehold.vocabulary.ReservationId;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Tests that the simulation detects calls of plug-ins that are late, repeated or not fenced. */
class InjectedTaskBugsTest extends InjectedBugsFixture {

    @Test
    void the_simulation_detects_a_task_that_runs_twice() {
        assertThat(complaint(() -> new Belated(20, Acting::onStart)))
                .contains("to whom it was not due");
    }

    @Test
    void the_simulation_detects_a_preparation_after_the_start() {
        assertThat(complaint(() -> new Belated(5, Acting::prepare)))
                .contains("prepared after its start");
    }

    /** Runs an action for a lease after several others have started, without a fence. */
    private static final class Belated extends EngineParts {

        private final Deque<Acting.Assignment> started = new ArrayDeque<>();
        private final int later;
        private final BiConsumer<Acting, Acting.Assignment> action;

        Belated(int later, BiConsumer<Acting, Acting.Assignment> action) {
            this.later = later;
            this.action = action;
        }

        @Override
        ResourcePlugin plugin(ResourcePlugin plugin) {
            Acting acting = plugin.acting();
            return new Acted(
                    plugin,
                    call -> {
                        started.add(unfenced(call));
                        if (started.size() > later) {
                            action.accept(acting, started.remove());
                        }
                        return call;
                    });
        }
    }

    private static Acting.Assignment unfenced(Acting.Assignment assignment) {
        return new Acting.Assignment(
                assignment.lease(),
                assignment.reservation(),
                assignment.project(),
                assignment.user(),
                assignment.period(),
                assignment.parameters(),
                assignment.resources());
    }

    /** A plug-in with manipulated starts. */
    private record Acted(ResourcePlugin plugin, UnaryOperator<Acting.Assignment> starts)
            implements ResourcePlugin, Acting {

        @Override
        public ResourceKind kind() {
            return plugin.kind();
        }

        @Override
        public Planning planning() {
            return plugin.planning();
        }

        @Override
        public Acting acting() {
            return this;
        }

        @Override
        public Result onStart(Assignment assignment) {
            return plugin.acting().onStart(starts.apply(assignment));
        }

        @Override
        public Discovery discover(String name) {
            return plugin.acting().discover(name);
        }

        @Override
        public Result enrol(ResourceId id, String name) {
            return plugin.acting().enrol(id, name);
        }

        @Override
        public Result retire(ResourceId id, String name) {
            return plugin.acting().retire(id, name);
        }

        @Override
        public Result prepare(Assignment assignment) {
            return plugin.acting().prepare(assignment);
        }

        @Override
        public Result onAdjust(Assignment assignment, List<Allocation> leaving) {
            return plugin.acting().onAdjust(assignment, leaving);
        }

        @Override
        public Result beforeEnd(Assignment assignment) {
            return plugin.acting().beforeEnd(assignment);
        }

        @Override
        public Result onEnd(Assignment assignment) {
            return plugin.acting().onEnd(assignment);
        }

        @Override
        public List<String> inspect(ReservationId reservation) {
            return plugin.acting().inspect(reservation);
        }

        @Override
        public Survey survey() {
            return plugin.acting().survey();
        }
    }

    @Test
    void the_simulation_detects_an_unfenced_node_after_a_pause() {
        // Some scenarios show a consequence first.
        assertThat(
                        LongStream.rangeClosed(1, SEEDS)
                                .mapToObj(seed -> withPauses(Scenario.of(seed, DAYS)))
                                .map(scenario -> complaint(scenario, new Unfenced()))
                                .filter(Objects::nonNull)
                                .anyMatch(InjectedTaskBugsTest::isUnfencedCall))
                .isTrue();
    }

    /** Adds a long pause of a node, within some effects, every second hour. */
    private static Scenario withPauses(Scenario scenario) {
        List<Step> steps = new ArrayList<>(scenario.steps());
        for (int hour = 4; hour < 24 * DAYS; hour += 2) {
            steps.add(
                    new Step.Pause(
                            Duration.ofHours(hour),
                            hour / 2 % Scenario.NODES,
                            2 + hour % 7,
                            Duration.ofHours(1)));
        }
        steps.sort(Comparator.comparing(Step::at));
        return new Scenario(scenario.seed(), scenario.cleaning(), steps);
    }

    private static boolean isUnfencedCall(String complaint) {
        return Stream.of(
                        "to whom it was not due",
                        "in the pool are",
                        "is not clean",
                        "started outside of its window")
                .anyMatch(complaint::contains);
    }

    private static final class Unfenced extends EngineParts {
        @Override
        ResourcePlugin plugin(ResourcePlugin plugin) {
            return new Acted(plugin, InjectedTaskBugsTest::unfenced);
        }
    }
}
