package org.leasehold.saga.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.saga.fakes.Samples.LEASE;
import static org.leasehold.saga.fakes.Samples.RESERVATION;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.leasehold.inventory.OutageExtent;
import org.leasehold.inventory.ResourceEvent.ResourceChanged;
import org.leasehold.inventory.ResourceEvent.ResourceDescribed;
import org.leasehold.inventory.ResourceEvent.ResourceDisabled;
import org.leasehold.inventory.ResourceEvent.ResourceEnabled;
import org.leasehold.inventory.ResourceEvent.ResourceEnrolled;
import org.leasehold.inventory.ResourceEvent.ResourceRetired;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.LeaseEvent.ResourceFailed;
import org.leasehold.lease.LeaseEvent.ResourceRecovered;
import org.leasehold.saga.fakes.Samples;
import org.leasehold.saga.inventory.InventoryReactions.State;
import org.leasehold.saga.inventory.InventoryReactions.Step;
import org.leasehold.saga.reaction.Reaction;
import org.leasehold.saga.task.PluginTask;
import org.leasehold.vocabulary.LeaseId;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

class InventoryReactionsTest {

    private static final ResourceId NODE = new ResourceId(1);
    private static final LeaseId OTHER = Samples.lease(2);
    private static final String REASON = "it is down";

    private static final State UP = state(null);
    private static final Reaction CANCELLED = Reaction.cancelReplacement(LEASE, RESERVATION, NODE);

    @Test
    void an_enrolment_submits_a_task_and_is_known() {
        Step step =
                InventoryReactions.react(
                        State.INITIAL,
                        new ResourceEnrolled(
                                NODE,
                                ResourceKind.PHYSICAL_HOST,
                                "node1",
                                null,
                                null,
                                Map.of(),
                                Map.of()));

        assertThat(step)
                .isEqualTo(
                        new Step(
                                UP,
                                List.of(
                                        new Reaction.Submit(
                                                new PluginTask.Enrol(
                                                        NODE,
                                                        ResourceKind.PHYSICAL_HOST,
                                                        "node1")))));
    }

    @Test
    void a_retirement_submits_a_task() {
        assertThat(InventoryReactions.react(UP, new ResourceRetired(NODE)).reactions())
                .containsExactly(
                        new Reaction.Submit(
                                new PluginTask.Retire(NODE, ResourceKind.PHYSICAL_HOST, "node1")));
    }

    @Test
    void a_retirement_before_an_enrolment_has_no_task() {
        assertThat(InventoryReactions.react(State.INITIAL, new ResourceRetired(NODE)))
                .isEqualTo(new Step(State.INITIAL, List.of()));
    }

    @Test
    void an_outage_is_reported_to_the_affected_leases() {
        assertThat(InventoryReactions.react(UP, disabled(OutageExtent.DOWN, LEASE, OTHER)))
                .isEqualTo(
                        new Step(
                                state(REASON),
                                List.of(
                                        outage(LEASE, REASON),
                                        outage(OTHER, REASON),
                                        replacement(LEASE),
                                        replacement(OTHER))));
    }

    @Test
    void an_outage_forgets_leases_that_it_does_not_affect() {
        assertThat(
                        InventoryReactions.react(
                                        state(null, LEASE, OTHER),
                                        disabled(OutageExtent.DOWN, LEASE))
                                .state())
                .isEqualTo(state(REASON, LEASE));
    }

    @Test
    void a_closed_or_enabled_resource_is_reported_to_leases_that_lack_it() {
        Step recovered = new Step(state(null, LEASE), List.of(outage(LEASE, null)));

        assertThat(InventoryReactions.react(state(REASON, LEASE), new ResourceEnabled(NODE)))
                .isEqualTo(recovered);
        assertThat(
                        InventoryReactions.react(
                                state(REASON, LEASE), disabled(OutageExtent.CLOSED, LEASE, OTHER)))
                .isEqualTo(
                        new Step(
                                recovered.state(),
                                List.of(
                                        outage(LEASE, null),
                                        replacement(LEASE),
                                        replacement(OTHER))));
    }

    @Test
    void an_operators_disabling_only_requests_replacements() {
        State state = state(REASON, OTHER);

        assertThat(InventoryReactions.react(state, disabled(null, LEASE)))
                .isEqualTo(new Step(state, List.of(replacement(LEASE))));
    }

    @Test
    void a_change_or_a_description_of_the_resource_changes_nothing() {
        Step nothing = new Step(state(REASON, LEASE), List.of());

        assertThat(
                        InventoryReactions.react(
                                nothing.state(), new ResourceChanged(NODE, Map.of(), Set.of())))
                .isEqualTo(nothing);
        assertThat(
                        InventoryReactions.react(
                                nothing.state(),
                                new ResourceDescribed(NODE, null, null, Map.of(), List.of())))
                .isEqualTo(nothing);
    }

    @Test
    void a_failure_during_the_outage_is_known_and_a_late_one_is_corrected() {
        ResourceFailed failed = new ResourceFailed(LEASE, RESERVATION, NODE, REASON);

        assertThat(InventoryReactions.react(state(REASON), failed))
                .isEqualTo(
                        new Step(
                                state(REASON, LEASE),
                                List.of(new Reaction.ReplaceLater(LEASE, RESERVATION, NODE))));
        assertThat(InventoryReactions.react(UP, failed))
                .isEqualTo(new Step(state(null, LEASE), List.of(outage(LEASE, null))));
    }

    @Test
    void a_recovery_after_the_outage_is_known_and_an_early_one_is_corrected() {
        ResourceRecovered recovered = new ResourceRecovered(LEASE, RESERVATION, NODE);

        assertThat(InventoryReactions.react(state(null, LEASE), recovered))
                .isEqualTo(new Step(UP, List.of(CANCELLED)));
        assertThat(InventoryReactions.react(state(REASON, LEASE), recovered))
                .isEqualTo(new Step(state(REASON), List.of(outage(LEASE, REASON), CANCELLED)));
    }

    @Test
    void a_removed_part_is_no_outage_of_the_resource() {
        assertThat(
                        InventoryReactions.react(
                                UP,
                                new ResourceFailed(
                                        LEASE, RESERVATION, NODE, InventorySaga.PART_REMOVED)))
                .isEqualTo(new Step(UP, List.of()));
    }

    private static State state(@Nullable String down, LeaseId... lacking) {
        return new State(
                down,
                ResourceKind.PHYSICAL_HOST.value(),
                new TreeSet<>(Arrays.stream(lacking).map(LeaseId::toString).toList()),
                "node1");
    }

    private static ResourceDisabled disabled(@Nullable OutageExtent extent, LeaseId... affected) {
        return new ResourceDisabled(NODE, REASON, List.of(affected), extent);
    }

    private static Reaction replacement(LeaseId lease) {
        return new Reaction.ReplaceResource(lease, NODE);
    }

    private static Reaction outage(LeaseId lease, @Nullable String reason) {
        return new Reaction.ReportOutage(lease, NODE, reason);
    }
}
