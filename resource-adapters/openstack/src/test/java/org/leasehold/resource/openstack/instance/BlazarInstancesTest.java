package org.leasehold.resource.openstack.instance;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.resource.Acting.Assignment;
import org.leasehold.resource.Acting.Result;

import java.util.List;
import java.util.Map;

/** The reservations of instances that Blazar made before a migration. */
class BlazarInstancesTest extends OpenStackInstancesFixture {

    /** Starts in the state in which a lease is migrated from Blazar, without a trust. */
    @Test
    void an_end_removes_all_parts_of_a_reservation_from_blazar() {
        Assignment assignment = madeByBlazar();
        assertThat(boots(assignment, PROJECT.value())).isTrue();

        assertThat(acting.onEnd(assignment)).isEqualTo(DONE);

        assertThat(acting.inspect(assignment.reservation())).isEmpty();
        assertThat(nova.guests()).isEmpty();
        assertThat(nova.flavors()).isEmpty();
        assertThat(nova.serverGroups()).isEmpty();
        assertThat(nova.placement().classes()).isEmpty();
        assertThat(nova.placement().entry("blazar_compute-1").totals()).isEmpty();
    }

    @Test
    void a_start_reuses_the_parts_that_blazar_created_in_advance() {
        Assignment assignment = madeByBlazar();
        String group = nova.serverGroups().getFirst().id();

        assertThat(acting.onStart(assignment))
                .isEqualTo(
                        new Result.Done(
                                Map.of(
                                        "aggregate_id",
                                        nova.group(assignment.reservation().toString()).id,
                                        "server_group_id",
                                        group)));

        assertThat(nova.serverGroups()).hasSize(1);
        assertThat(nova.flavor(assignment.reservation().toString()).extraSpecs)
                .containsEntry("affinity_id", group)
                .containsEntry("trait:CUSTOM_RESERVABLE", "required");
        assertThat(boots(assignment, PROJECT.value())).isTrue();
    }

    /** Returns an assignment with two servers on two hosts. */
    private Assignment madeByBlazar() {
        Assignment assignment = apart(null);
        String id = assignment.reservation().toString();
        nova.serverGroup("reservation:" + id, PROJECT.value());
        String group = nova.serverGroups().getFirst().id();
        nova.makeFlavor(
                id,
                Map.of(
                        "name", "reservation:" + id,
                        "vcpus", 4,
                        "ram", 8_192,
                        "disk", 40,
                        "os-flavor-access:is_public", false));
        nova.flavor(id).projects.add(PROJECT.value());
        nova.flavor(id)
                .extraSpecs
                .putAll(
                        Map.of(
                                "aggregate_instance_extra_specs:reservation",
                                id,
                                "resources:" + classOf(assignment),
                                "1",
                                "affinity_id",
                                group));
        nova.group(id, null, "compute-1", "compute-2");
        nova.group(id)
                .metadata
                .putAll(
                        Map.of(
                                "reservation",
                                id,
                                "filter_tenant_id",
                                PROJECT.value(),
                                "blazar:owner",
                                PROJECT.value(),
                                "affinity_id",
                                group));
        for (String host : List.of("compute-1", "compute-2")) {
            nova.placement().addPart("blazar_" + host, nova.host(host).id());
            nova.placement().offer("blazar_" + host, classOf(assignment), 1);
        }
        return assignment;
    }
}
