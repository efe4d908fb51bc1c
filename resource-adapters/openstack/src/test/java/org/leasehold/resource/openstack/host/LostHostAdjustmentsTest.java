package org.leasehold.resource.openstack.host;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.lease.Fault;
import org.leasehold.resource.Acting.Assignment;
import org.leasehold.resource.Acting.Result;
import org.leasehold.resource.openstack.compute.FakeAggregate;

import java.util.List;
import java.util.UUID;

/** Tests adjustments of reservations that have lost a host. */
class LostHostAdjustmentsTest extends LostHostsFixture {

    @Test
    void an_adjustment_restores_the_aggregate_and_keeps_the_project_servers() {
        Assignment assignment = started(1, 2);
        nova.boot("holders", HOLDER, name(1));
        nova.forgetGroup(assignment.reservation().toString());

        assertThat(plugin.acting().onAdjust(assignment, List.of())).isInstanceOf(Result.Done.class);

        FakeAggregate own = nova.group(assignment.reservation().toString());
        assertThat(own.hosts).containsExactlyElementsOf(services(1, 2));
        assertThat(own.metadata).containsEntry("blazar:owner", HOLDER);
        assertThat(nova.guests()).containsExactly("holders");
    }

    @Test
    void an_adjustment_reclaims_a_host_and_keeps_only_servers_of_the_lease() {
        Assignment assignment = started(1);
        nova.boot("holders", HOLDER, name(1));
        nova.boot("strangers", STRANGER, name(1));
        nova.boot("preemptible", HOLDER, name(1)).extraSpecs.put("blazar:preemptible", "true");
        nova.boot("slot", HOLDER, name(1))
                .extraSpecs
                .put("aggregate_instance_extra_specs:reservation", UUID.randomUUID().toString());
        nova.forgetGroup(assignment.reservation().toString());
        nova.group("freepool").hosts.addAll(services(1));

        assertThat(plugin.acting().onAdjust(assignment, List.of())).isInstanceOf(Result.Done.class);

        assertThat(nova.group(assignment.reservation().toString()).hosts)
                .containsExactlyElementsOf(services(1));
        assertThat(nova.group("freepool").hosts).containsExactlyElementsOf(services(2, 3, 4));
        assertThat(nova.guests()).containsExactly("holders");
    }

    @Test
    void an_adjustment_is_retryable_while_foreign_servers_use_a_lost_host() {
        Assignment assignment = started(1, 2);
        nova.boot("holders", HOLDER, name(1));
        nova.boot("strangers", STRANGER, name(2));
        nova.forgetGroup(assignment.reservation().toString());

        assertThat(plugin.acting().onAdjust(assignment, List.of()))
                .isInstanceOfSatisfying(
                        Result.Failed.class,
                        failed ->
                                assertThat(failed.fault().kind()).isEqualTo(Fault.Kind.RETRYABLE));

        assertThat(nova.guests()).containsExactlyInAnyOrder("holders", "strangers");
    }

    @Test
    void an_adjustment_frees_a_lost_host_that_leaves_the_reservation() {
        Assignment assignment = started(1, 2);
        nova.boot("holders", HOLDER, name(2));
        nova.forgetGroup(assignment.reservation().toString());

        assertThat(plugin.acting().onAdjust(of(assignment.reservation(), 1), allocations(2)))
                .isInstanceOf(Result.Done.class);

        assertThat(nova.group(assignment.reservation().toString()).hosts)
                .containsExactlyElementsOf(services(1));
        assertThat(nova.group("freepool").hosts).containsExactlyElementsOf(services(2, 3, 4));
        assertThat(nova.guests()).isEmpty();
    }
}
