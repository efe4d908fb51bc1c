package org.leasehold.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.axonframework.messaging.Message;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.leasehold.lease.LeaseEvent.LeaseStarting;
import org.leasehold.lease.LeaseEvent.ReservationAdjusted;
import org.leasehold.lease.LeaseEvent.ReservationChanged;
import org.leasehold.lease.LeaseEvent.ReservationGranted;
import org.leasehold.lease.LeaseEvent.ResourceReplaced;
import org.leasehold.query.lease.InMemoryLeases;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.simulation.scenario.Scenario;
import org.leasehold.simulation.scenario.Step;
import org.leasehold.vocabulary.ProjectId;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

class SimulationTest {

    /** What the lines of the scenarios must have somewhere, by name. */
    private static final Map<String, Pattern> RARE =
            Map.of(
                    "an early attempt", Pattern.compile("earlyAttempts=1"),
                    "a removal before the start",
                            Pattern.compile("ReservationRemoved.*tenure=null"),
                    "a removal during the use",
                            Pattern.compile("ReservationRemoved.*tenure=Tenure"),
                    "a start without a removed reservation", Pattern.compile("awaited=\\[\\]"),
                    "a running reservation that moves",
                            Pattern.compile("ReservationAdjusting.*moves=\\[ResourceMove"));

    /** Enough seeds to cover all steps of a scenario; the command runs others. */
    private static final int SEEDS = 20;

    @Test
    void the_invariants_hold_in_random_scenarios() {
        assertThat(
                        LongStream.rangeClosed(1, SEEDS)
                                .mapToObj(seed -> Scenario.of(seed, Simulate.DAYS))
                                .map(scenario -> run(scenario))
                                .map(SimulationOutcome::complaint))
                .containsOnlyNulls();
    }

    /** Otherwise, their invariants would hold for nothing. */
    @Test
    void the_scenarios_have_early_attempts_removals_and_moves() {
        Set<String> rare = new TreeSet<>(RARE.keySet());
        for (long seed = 1; seed <= SEEDS; seed++) {
            Simulation.run(
                    Scenario.of(seed, Simulate.DAYS),
                    new EngineParts(),
                    line -> rare.removeIf(each -> isMatch(each, line.get())));
        }
        assertThat(rare).isEmpty();
    }

    private static boolean isMatch(String name, String line) {
        return Objects.requireNonNull(RARE.get(name)).matcher(line).find();
    }

    @Test
    void the_scenarios_have_replacements_before_the_start() {
        assertThat(
                        LongStream.rangeClosed(1, SEEDS)
                                .mapToObj(seed -> Scenario.of(seed, Simulate.DAYS))
                                .flatMap(SimulationTest::earlyReplacements))
                .isNotEmpty();
    }

    /** Returns the replacements that no start of the lease follows. */
    private static Stream<ResourceReplaced> earlyReplacements(Scenario scenario) {
        List<Object> events =
                Simulation.allEvents(scenario, new EngineParts()).stream()
                        .<Object>map(Message::getPayload)
                        .toList();
        return IntStream.range(1, events.size())
                .filter(
                        n ->
                                !(events.get(n) instanceof ResourceReplaced
                                        || events.get(n) instanceof LeaseStarting))
                .mapToObj(n -> events.get(n - 1))
                .filter(ResourceReplaced.class::isInstance)
                .map(ResourceReplaced.class::cast);
    }

    /** Otherwise, the invariant of confirmed changes would hold for nothing. */
    @Test
    void the_scenarios_have_confirmed_reductions() {
        assertThat(
                        LongStream.rangeClosed(1, SEEDS)
                                .mapToObj(seed -> Scenario.of(seed, Simulate.DAYS))
                                .flatMap(SimulationTest::reductions))
                .isNotEmpty();
    }

    /** Returns the confirmations that freed hosts, by their new request and their new grant. */
    private static Stream<ReservationAdjusted> reductions(Scenario scenario) {
        List<Object> events =
                Simulation.allEvents(scenario, new EngineParts()).stream()
                        .<Object>map(Message::getPayload)
                        .toList();
        return IntStream.range(2, events.size())
                .mapToObj(n -> reduction(events.subList(n - 2, n + 1)))
                .flatMap(Optional::stream);
    }

    /** Returns the confirmation if all three events are about its reservation. */
    private static Optional<ReservationAdjusted> reduction(List<Object> events) {
        return events.get(0) instanceof ReservationChanged changed
                        && events.get(1) instanceof ReservationGranted granted
                        && events.get(2) instanceof ReservationAdjusted adjusted
                        && changed.reservationId().equals(adjusted.reservationId())
                        && granted.reservationId().equals(adjusted.reservationId())
                        && !adjusted.left().isEmpty()
                ? Optional.of(adjusted)
                : Optional.empty();
    }

    /** The order of salted hash tables, for example, differs between processes. */
    @Test
    void a_seed_replays_exactly_in_another_process() throws IOException {
        long seed = 3;
        Process other =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-XX:TieredStopAtLevel=1",
                                "-XX:+UseSerialGC",
                                "-cp",
                                System.getProperty("java.class.path"),
                                "-Daxoniq.update-checker.disabled=true",
                                Simulate.class.getName(),
                                "--seed",
                                Long.toString(seed))
                        .redirectErrorStream(true)
                        .start();
        String output = new String(other.getInputStream().readAllBytes(), UTF_8);
        assertThat(output)
                .contains(Simulate.describeOutcome(seed, run(Scenario.of(seed, Simulate.DAYS))));
    }

    @Test
    void a_failing_scenario_shrinks_to_the_steps_that_cause_the_failure() {
        Scenario failing = Scenario.of(1, 2);
        Scenario smallest = ScenarioShrinker.shrink(failing, Indiscreet::new);
        assertThat(Simulation.run(smallest, new Indiscreet(), _ -> {}).complaint())
                .contains("another's lease");
        assertThat(smallest.steps()).hasSize(2);
        assertThat(smallest.steps().getFirst()).isInstanceOf(Step.Ask.class);
        assertThat(smallest.steps().getLast()).isInstanceOf(Step.Look.class);
    }

    private static SimulationOutcome run(Scenario scenario) {
        return Simulation.run(scenario, new EngineParts(), _ -> {});
    }

    private static final class Indiscreet extends EngineParts {
        @Override
        InMemoryLeases leases() {
            return new InMemoryLeases() {
                @Override
                protected boolean isOf(LeaseView lease, @Nullable ProjectId project) {
                    return true;
                }
            };
        }
    }
}
