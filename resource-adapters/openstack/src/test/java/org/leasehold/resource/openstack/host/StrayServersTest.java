package org.leasehold.resource.openstack.host;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.resource.Acting.Assignment;
import org.leasehold.resource.Survey.Squatter;
import org.leasehold.resource.openstack.compute.FakeGuest;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;

import java.util.UUID;

/** Tests the survey of servers on hosts without a lease. */
class StrayServersTest extends HostsFixture {

    @Test
    void a_server_on_a_host_without_a_lease_is_a_stray_server() {
        Assignment leased = assignment("compute-1");
        acting.onStart(leased);
        nova.boot("in the lease", PROJECT.value(), "compute-1");
        FakeGuest left = nova.boot("left", PROJECT.value(), "compute-2");
        FakeGuest forced = nova.boot("forced", STRANGER, "compute-3");
        nova.boot("on an ordinary host", STRANGER, "compute-9");
        nova.group("racks", null, "compute-3");

        assertThat(squatters())
                .containsExactly(
                        new Squatter(left.id, "left", "compute-2", PROJECT, null),
                        new Squatter(
                                forced.id, "forced", "compute-3", new ProjectId(STRANGER), null));
        assertThat(acting.onEnd(leased)).isEqualTo(DONE);
        assertThat(squatters()).hasSize(2);
    }

    @Test
    void a_survey_lists_all_stray_servers_of_a_host() {
        for (int i = 0; i < 7; i++) {
            nova.boot("left", PROJECT.value(), "compute-2");
        }

        assertThat(squatters()).hasSize(7);
    }

    @Test
    void a_server_on_a_host_in_two_aggregates_is_not_stray() {
        nova.boot("in the lease", PROJECT.value(), "compute-2");
        String reservation = UUID.randomUUID().toString();
        nova.group(reservation, "blazar_" + reservation, "compute-2");

        assertThat(squatters()).isEmpty();
    }

    @Test
    void a_server_on_a_host_leased_during_the_survey_is_not_stray() {
        nova.boot("in the lease", PROJECT.value(), "compute-2");
        String reservation = UUID.randomUUID().toString();
        nova.meanwhile(() -> nova.group(reservation, "blazar_" + reservation, "compute-2"));

        assertThat(squatters()).isEmpty();
    }

    @Test
    void a_stray_server_in_a_slot_names_the_reservation() {
        ReservationId holder = new ReservationId(UUID.randomUUID());
        FakeGuest guest = nova.boot("in a slot", PROJECT.value(), "compute-2");
        guest.extraSpecs.put("aggregate_instance_extra_specs:reservation", holder.toString());

        assertThat(squatters())
                .containsExactly(new Squatter(guest.id, "in a slot", "compute-2", PROJECT, holder));
        guest.extraSpecs.put("blazar:preemptible", "true");
        assertThat(squatters()).hasSize(1);
    }
}
