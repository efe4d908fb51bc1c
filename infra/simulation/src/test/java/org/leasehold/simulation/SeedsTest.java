package org.leasehold.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.leasehold.lease.ProjectId;
import org.leasehold.query.LeaseView;
import org.leasehold.query.lease.InMemoryLeases;

import java.util.stream.LongStream;

class SeedsTest {

    /** Enough to meet everything that a scenario can hold; other seeds are run by the command. */
    private static final int SEEDS = 30;

    @Test
    void the_invariants_hold_whatever_happens() {
        assertThat(
                        LongStream.rangeClosed(1, SEEDS)
                                .mapToObj(seed -> Scenario.of(seed, Simulate.DAYS))
                                .map(scenario -> run(scenario))
                                .map(Simulation.Outcome::complaint))
                .containsOnlyNulls();
    }

    @Test
    void a_seed_replays_exactly() {
        Scenario scenario = Scenario.of(7, Simulate.DAYS);
        assertThat(run(scenario)).isEqualTo(run(scenario));
        assertThat(run(scenario).events()).isGreaterThan(500);
    }

    @Test
    void a_failing_scenario_is_shrunk_to_what_it_fails_by() {
        Scenario failing = Scenario.of(1, 2);
        Scenario smallest = Shrinking.shrink(failing, Indiscreet::new);
        assertThat(Simulation.run(smallest, new Indiscreet(), _ -> {}).complaint())
                .contains("another's lease");
        assertThat(smallest.steps()).hasSize(2);
        assertThat(smallest.steps().getFirst()).isInstanceOf(Step.Ask.class);
        assertThat(smallest.steps().getLast()).isInstanceOf(Step.Look.class);
    }

    private static Simulation.Outcome run(Scenario scenario) {
        return Simulation.run(scenario, new Parts(), _ -> {});
    }

    private static final class Indiscreet extends Parts {
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
