package org.leasehold.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.leasehold.calendar.Demand;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.ReservationWish;
import org.leasehold.resource.Acting;
import org.leasehold.resource.Planning;
import org.leasehold.resource.Plugins;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.simulation.memory.HostPlugins;
import org.leasehold.simulation.memory.LaterHostPlanning;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.function.UnaryOperator;

/** Tests that the simulation detects an engine that reduces reservations wrongly. */
class InjectedReductionBugsTest extends InjectedBugsFixture {

    @Test
    void the_simulation_detects_capacity_freed_before_the_confirmation() {
        assertThat(complaint(() -> new Broken(Hasty::new))).contains("was freed while");
    }

    @Test
    void the_simulation_detects_a_confirmation_that_frees_too_much() {
        assertThat(complaint(() -> new Broken(Generous::new))).contains("does not remain of");
    }

    /** An engine with another planning of hosts that the cloud takes back later. */
    private static final class Broken extends EngineParts {

        private final UnaryOperator<Planning> bug;

        Broken(UnaryOperator<Planning> bug) {
            this.bug = bug;
        }

        @Override
        Plugins plugins(ResourcePlugin hosts) {
            return new BrokenPlugins(new HostPlugins(hosts), bug);
        }
    }

    private record BrokenPlugins(Plugins plugins, UnaryOperator<Planning> bug) implements Plugins {

        @Override
        public Optional<ResourcePlugin> find(ResourceKind kind) {
            Optional<ResourcePlugin> found = plugins.find(kind);
            return kind.equals(HostPlugins.LATER_HOST)
                    ? found.map(plugin -> new BrokenPlugin(plugin, bug))
                    : found;
        }

        @Override
        public SortedSet<String> kinds() {
            return plugins.kinds();
        }
    }

    private record BrokenPlugin(ResourcePlugin plugin, UnaryOperator<Planning> bug)
            implements ResourcePlugin {

        @Override
        public ResourceKind kind() {
            return plugin.kind();
        }

        @Override
        public Planning planning() {
            return bug.apply(plugin.planning());
        }

        @Override
        public Acting acting() {
            return plugin.acting();
        }
    }

    /** Frees hosts before the cloud has taken them back. */
    private static final class Hasty extends DelegatingPlanning {

        Hasty(Planning later) {
            super(later);
        }

        @Override
        public Plan plan(Map<String, @Nullable Object> parameters) {
            return hosts().plan(parameters);
        }

        @Override
        public Plan change(
                Map<String, @Nullable Object> current,
                Map<String, @Nullable Object> changes,
                boolean running) {
            return hosts().change(current, changes, running);
        }

        private Planning hosts() {
            return ((LaterHostPlanning) planning()).hosts();
        }
    }

    /** Frees one more host than the cloud has taken back. */
    private static final class Generous extends DelegatingPlanning {

        Generous(Planning later) {
            super(later);
        }

        @Override
        public Optional<Plan.Planned> planConfirmed(Map<String, @Nullable Object> parameters) {
            return planning().planConfirmed(parameters).map(Generous::withoutOneHost);
        }

        private static Plan.Planned withoutOneHost(Plan.Planned planned) {
            Demand.Whole whole = (Demand.Whole) planned.demand();
            return whole.maximum() == 1
                    ? planned
                    : new Plan.Planned(
                            planned.parameters(),
                            List.of(
                                    new Demand.Whole(
                                            whole.kind(),
                                            1,
                                            whole.maximum() - 1,
                                            whole.requirement(),
                                            whole.selection(),
                                            whole.required())));
        }
    }

    /** Plans as another planning does. */
    private abstract static class DelegatingPlanning implements Planning {

        private final Planning planning;

        DelegatingPlanning(Planning planning) {
            this.planning = planning;
        }

        Planning planning() {
            return planning;
        }

        @Override
        public Plan plan(Map<String, @Nullable Object> parameters) {
            return planning.plan(parameters);
        }

        @Override
        public Plan change(
                Map<String, @Nullable Object> current,
                Map<String, @Nullable Object> changes,
                boolean running) {
            return planning.change(current, changes, running);
        }

        @Override
        public boolean needsAdjustment(
                Map<String, @Nullable Object> before, Map<String, @Nullable Object> after) {
            return planning.needsAdjustment(before, after);
        }

        @Override
        public boolean preparesStart(Map<String, @Nullable Object> parameters) {
            return planning.preparesStart(parameters);
        }

        @Override
        public Set<ResourceKind> startsAfter() {
            return planning.startsAfter();
        }

        @Override
        public Map<String, @Nullable Object> render(ReservationWish wish) {
            return planning.render(wish);
        }

        @Override
        public String plural() {
            return planning.plural();
        }
    }
}
