package org.leasehold.resource.openstack.host;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Fault;
import org.leasehold.resource.Acting.Assignment;
import org.leasehold.resource.Acting.Result;
import org.leasehold.resource.openstack.compute.FakeGuest;

import java.util.Map;
import java.util.UUID;

/** Tests ends of reservations whose aggregate is deleted, or loses a host, by hand. */
class LostHostsTest extends LostHostsFixture {

    @Test
    void an_end_without_the_aggregate_frees_hosts_without_foreign_servers() {
        Assignment assignment = started(1, 2);
        nova.boot("holders", HOLDER, name(1));
        nova.boot("strangers", STRANGER, name(2));
        nova.forgetGroup(assignment.reservation().toString());

        assertThat(plugin.acting().onEnd(assignment)).isEqualTo(DONE);

        assertThat(nova.group("freepool").hosts).containsExactlyElementsOf(services(1, 3, 4));
        assertThat(nova.guests()).containsExactly("strangers");
        assertThat(strays()).containsExactly(name(2));
    }

    @Test
    void a_host_is_enrolled_only_after_foreign_servers_are_gone() {
        nova.forgetGroup("freepool");
        FakeGuest strangers = nova.boot("strangers", STRANGER, name(2));

        assertThat(plugin.acting().enrol(new ResourceId(2), name(2)))
                .isInstanceOfSatisfying(
                        Result.Failed.class,
                        failed -> {
                            assertThat(failed.fault().kind()).isEqualTo(Fault.Kind.RETRYABLE);
                            assertThat(failed.fault().message())
                                    .contains("Servers of others run on the host")
                                    .doesNotContain("strangers");
                        });
        assertThat(nova.guests()).containsExactly("strangers");

        strangers.deleting = true;
        // It is gone after the next query.
        assertThat(plugin.acting().enrol(new ResourceId(2), name(2)))
                .isInstanceOf(Result.Failed.class);
        assertThat(plugin.acting().enrol(new ResourceId(2), name(2))).isEqualTo(DONE);
        assertThat(nova.group("freepool").hosts).containsExactlyElementsOf(services(2));
    }

    @Test
    void an_end_frees_a_host_that_was_removed_from_the_aggregate() {
        Assignment assignment = started(1, 2);
        nova.boot("holders", HOLDER, name(1));
        nova.group(assignment.reservation().toString()).hosts.removeAll(services(1));

        assertThat(plugin.acting().onEnd(assignment)).isEqualTo(DONE);

        assertThat(nova.group("freepool").hosts).containsExactlyElementsOf(services(1, 2, 3, 4));
        assertThat(nova.guests()).isEmpty();
    }

    @Test
    void servers_of_the_project_on_lost_hosts_get_images_before_the_end() {
        Assignment assignment = snapshotting(started(1, 2, 3));
        String own = assignment.reservation().toString();
        nova.boot("in the aggregate", HOLDER, name(1));
        nova.boot("nowhere", HOLDER, name(2));
        nova.boot("strangers", STRANGER, name(2));
        nova.boot("in the freepool", HOLDER, name(3));
        nova.boot("preemptible", HOLDER, name(3)).extraSpecs.put("blazar:preemptible", "true");
        nova.group(own).hosts.removeAll(services(2, 3));
        nova.group("freepool").hosts.addAll(services(3));

        assertThat(plugin.acting().beforeEnd(assignment)).isEqualTo(DONE);

        assertThat(nova.images())
                .extracting(image -> image.get("name"))
                .containsExactlyInAnyOrder(
                        "reserved_in the aggregate",
                        "reserved_nowhere",
                        "reserved_in the freepool");
    }

    @Test
    void servers_on_a_lost_host_that_is_down_get_no_images() {
        Assignment assignment = snapshotting(started(1));
        nova.boot("unreachable", HOLDER, name(1)).slow = true;
        nova.forgetGroup(assignment.reservation().toString());
        nova.host(name(1)).up = false;

        assertThat(plugin.acting().beforeEnd(assignment)).isEqualTo(DONE);

        assertThat(nova.images()).isEmpty();
    }

    @Test
    void an_end_keeps_slot_and_preemptible_servers_on_a_host_in_the_freepool() {
        Assignment assignment = started(1);
        nova.boot("holders", HOLDER, name(1));
        nova.boot("slot", HOLDER, name(1))
                .extraSpecs
                .put("aggregate_instance_extra_specs:reservation", UUID.randomUUID().toString());
        nova.boot("preemptible", HOLDER, name(1)).extraSpecs.put("blazar:preemptible", "true");
        nova.forgetGroup(assignment.reservation().toString());
        nova.group("freepool").hosts.addAll(services(1));

        assertThat(plugin.acting().onEnd(assignment)).isEqualTo(DONE);

        assertThat(nova.guests()).containsExactlyInAnyOrder("slot", "preemptible");
    }

    @Test
    void an_end_does_not_change_a_lost_host_in_another_zone() {
        Assignment assignment = started(1);
        nova.boot("holders", HOLDER, name(1));
        nova.forgetGroup(assignment.reservation().toString());
        nova.group("repair", "repair", name(1));

        assertThat(plugin.acting().onEnd(assignment)).isEqualTo(DONE);

        assertThat(nova.guests()).containsExactly("holders");
        assertThat(nova.group("freepool").hosts).containsExactlyElementsOf(services(2, 3, 4));
    }

    @Test
    void an_end_creates_a_deleted_freepool_again() {
        Assignment assignment = started(1, 2, 3, 4);
        nova.forgetGroup("freepool");

        assertThat(plugin.acting().onEnd(assignment)).isEqualTo(DONE);

        assertThat(nova.group("freepool").hosts).containsExactlyElementsOf(services(1, 2, 3, 4));
    }

    private static Assignment snapshotting(Assignment old) {
        return new Assignment(
                        old.lease(),
                        old.reservation(),
                        old.project(),
                        old.user(),
                        old.period(),
                        Map.of("before_end", "snapshot"),
                        old.resources())
                .withFence(old.fence());
    }
}
