package org.leasehold.resource.openstack.instance;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.resource.Acting.Assignment;
import org.leasehold.resource.Acting.Result;
import org.leasehold.resource.LossResult;
import org.leasehold.resource.openstack.compute.FakeNova;
import org.leasehold.vocabulary.ReservationId;

import java.util.List;
import java.util.Map;
import java.util.Set;

/** The adjustments of reservations of instances. */
class InstanceAdjustmentsTest extends OpenStackInstancesFixture {

    @Test
    void an_adjustment_adds_slots_and_keeps_running_servers() {
        Assignment assignment = assignment(slots("compute-1", 1));
        acting.onStart(assignment);
        boots(assignment, PROJECT.value());

        assertThat(
                        acting.onAdjust(
                                again(assignment, slots("compute-1", 2), slots("compute-2", 1)),
                                List.of()))
                .isEqualTo(DONE);

        assertThat(nova.guests()).containsExactly("of project-1");
        assertThat(boots(assignment, PROJECT.value())).isTrue();
        assertThat(boots(assignment, PROJECT.value())).isTrue();
        assertThat(boots(assignment, PROJECT.value())).isFalse();
    }

    @Test
    void an_adjustment_clears_a_leaving_host_and_keeps_servers_on_others() {
        Assignment assignment = assignment(slots("compute-1", 1), slots("compute-2", 1));
        acting.onStart(assignment);
        boots(assignment, PROJECT.value());
        boots(assignment, PROJECT.value());

        assertThat(
                        acting.onAdjust(
                                again(assignment, slots("compute-2", 1)),
                                List.of(slots("compute-1", 1))))
                .isEqualTo(DONE);

        assertThat(nova.guestsOn("compute-1")).isEmpty();
        assertThat(nova.guestsOn("compute-2")).hasSize(1);
        assertThat(nova.placement().entry("blazar_compute-1").totals()).isEmpty();
        assertThat(nova.group(assignment.reservation().toString()).hosts)
                .containsExactly(FakeNova.serviceOf("compute-2"));
    }

    @Test
    void an_adjustment_retries_after_conflicting_changes_in_placement() {
        Assignment assignment = assignment(slots("compute-1", 2));
        acting.onStart(assignment);
        nova.placement().interrupt(3);

        assertThat(acting.onAdjust(again(assignment, slots("compute-1", 3)), List.of()))
                .isEqualTo(DONE);
        nova.placement().interrupt(1_000);
        assertRetryable(acting.onAdjust(again(assignment, slots("compute-1", 4)), List.of()));

        assertThat(nova.placement().entry("blazar_compute-1").totals())
                .containsOnly(Map.entry(classOf(assignment), 3L));
    }

    @Test
    void an_adjustment_restores_the_provider_of_slots() {
        Assignment slots = assignment(slots("compute-1", 1));
        acting.onStart(slots);
        nova.placement().forget("blazar_compute-1");

        assertThat(acting.onAdjust(slots, List.of())).isInstanceOf(Result.Done.class);

        assertThat(boots(slots, PROJECT.value())).isTrue();
    }

    @Test
    void an_adjustment_restores_a_removed_flavor_or_aggregate() {
        Assignment slots = assignment(slots("compute-1", 1));
        Assignment other = assignment(slots("compute-1", 1));
        acting.onStart(slots);
        acting.onStart(other);
        List<ReservationId> both = List.of(slots.reservation(), other.reservation());
        assertThat(acting.findLosses(both)).isEqualTo(new LossResult.Known(Set.of()));
        LossResult lost = new LossResult.Known(Set.of(slots.reservation()));

        nova.forgetFlavor(slots.reservation().toString());
        assertThat(acting.findLosses(both)).isEqualTo(lost);
        assertThat(acting.onAdjust(slots, List.of())).isInstanceOf(Result.Done.class);
        assertThat(acting.findLosses(both)).isEqualTo(new LossResult.Known(Set.of()));

        nova.forgetGroup(slots.reservation().toString());
        assertThat(acting.findLosses(both)).isEqualTo(lost);
        assertThat(acting.onAdjust(slots, List.of())).isInstanceOf(Result.Done.class);
        assertThat(acting.findLosses(both)).isEqualTo(new LossResult.Known(Set.of()));
        assertThat(boots(slots, PROJECT.value())).isTrue();
    }
}
