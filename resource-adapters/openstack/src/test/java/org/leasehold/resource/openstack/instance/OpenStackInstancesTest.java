package org.leasehold.resource.openstack.instance;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.Fault;
import org.leasehold.resource.Acting.Assignment;
import org.leasehold.resource.Acting.Discovery;
import org.leasehold.resource.Acting.Result;
import org.leasehold.resource.openstack.CloudFaultProxy;
import org.leasehold.resource.openstack.compute.FakeAggregate;
import org.leasehold.resource.openstack.compute.FakeFlavor;
import org.leasehold.resource.openstack.compute.FakeNova;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** The starts of reservations of instances. */
class OpenStackInstancesTest extends OpenStackInstancesFixture {

    private static final int MORE_STEPS_THAN_ANY_CALL_HAS = 100;

    @Test
    void a_start_creates_a_private_flavor_that_requires_the_reserved_slots() {
        Assignment assignment = assignment(slots("compute-1", 2));
        String id = assignment.reservation().toString();

        Result started = acting.onStart(assignment);

        assertThat(started).isEqualTo(new Result.Done(Map.of("aggregate_id", nova.group(id).id)));
        FakeFlavor flavor = nova.flavor(id);
        assertThat(flavor.name).isEqualTo("reservation:" + id);
        assertThat(flavor.isPublic).isFalse();
        assertThat(flavor.projects).containsExactly(PROJECT.value());
        assertThat(List.of(flavor.vcpus, flavor.ram, flavor.disk)).containsExactly(4L, 8_192L, 40L);
        assertThat(flavor.extraSpecs)
                .containsOnly(
                        Map.entry("aggregate_instance_extra_specs:reservation", id),
                        Map.entry("resources:" + classOf(assignment), "1"),
                        Map.entry("trait:CUSTOM_RESERVABLE", "required"));
        assertThat(nova.placement().entry("blazar_compute-1").totals())
                .containsOnly(Map.entry(classOf(assignment), 2L));
        assertThat(nova.placement().entry("blazar_compute-1").traits())
                .containsExactly("CUSTOM_RESERVABLE");
    }

    @Test
    void a_copied_flavor_cannot_override_the_isolation_of_the_reservation() {
        Assignment sized = assignment(slots("compute-1", 2));
        String id = sized.reservation().toString();
        Map<String, @Nullable Object> source =
                Map.of(
                        "id", "7",
                        "name", "gpu.small",
                        "vcpus", 4,
                        "memory_mb", 8_192,
                        "disk_gb", 40,
                        "ephemeral_gb", 10,
                        "swap_mb", 512,
                        "extra_specs",
                                Map.of(
                                        "hw:numa_nodes", "1",
                                        "trait:CUSTOM_RESERVABLE", "forbidden",
                                        "aggregate_instance_extra_specs:reservation", "another"));
        Map<String, @Nullable Object> parameters =
                Map.of("flavor_id", "7", "amount", 2, "flavor", source);

        assertThat(acting.onStart(wishing(sized, parameters))).isInstanceOf(Result.Done.class);

        FakeFlavor flavor = nova.flavor(id);
        assertThat(List.of(flavor.vcpus, flavor.ram, flavor.disk, flavor.ephemeral, flavor.swap))
                .containsExactly(4L, 8_192L, 40L, 10L, 512L);
        assertThat(flavor.extraSpecs)
                .containsOnly(
                        Map.entry("hw:numa_nodes", "1"),
                        Map.entry("aggregate_instance_extra_specs:reservation", id),
                        Map.entry("resources:" + classOf(sized), "1"),
                        Map.entry("trait:CUSTOM_RESERVABLE", "required"));
        assertThat(flavor.isPublic).isFalse();
        assertThat(boots(sized, PROJECT.value())).isTrue();
        assertThat(boots(sized, STRANGER)).isFalse();
    }

    @Test
    void reserved_hosts_join_the_aggregate_and_stay_in_the_freepool() {
        Assignment assignment = assignment(slots("compute-1", 2), slots("compute-3", 1));
        String id = assignment.reservation().toString();

        acting.onStart(assignment);

        FakeAggregate own = nova.group(id);
        assertThat(own.zone).isNull();
        assertThat(own.metadata)
                .containsOnly(
                        Map.entry("reservation", id),
                        Map.entry("blazar:owner", PROJECT.value()),
                        Map.entry("filter_tenant_id", PROJECT.value()));
        assertThat(own.hosts)
                .containsExactly(FakeNova.serviceOf("compute-1"), FakeNova.serviceOf("compute-3"));
        assertThat(nova.group("freepool").hosts).hasSize(4);
    }

    @Test
    void only_the_project_boots_servers_up_to_the_number_of_slots() {
        Assignment assignment = assignment(slots("compute-1", 2), slots("compute-3", 1));

        assertThat(boots(assignment, PROJECT.value())).isFalse();
        acting.onStart(assignment);

        assertThat(boots(assignment, STRANGER)).isFalse();
        for (int server = 0; server < 3; server++) {
            assertThat(boots(assignment, PROJECT.value())).as("server %d", server).isTrue();
        }
        assertThat(boots(assignment, PROJECT.value())).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"UNAVAILABLE", "ANSWER_LOST"})
    void slots_of_an_interrupted_start_require_project_access(CloudFaultProxy.Fault fault) {
        for (int step = 0; step < MORE_STEPS_THAN_ANY_CALL_HAS; step++) {
            Assignment assignment = assignment(slots("compute-1", 1), slots("compute-2", 1));
            proxy.spoil(fault, step);
            Result result = acting.onStart(assignment);
            proxy.heal();
            if (result instanceof Result.Done) {
                assertThat(step).isGreaterThan(5);
                return;
            }
            boolean whole =
                    acting.inspect(assignment.reservation()).contains("project/" + PROJECT.value());
            assertThat(boots(assignment, PROJECT.value())).as("step %d", step).isEqualTo(whole);
            assertThat(acting.onEnd(assignment)).isEqualTo(DONE);
        }
        throw new AssertionError("a start has no end of steps");
    }

    @Test
    void a_start_creates_a_resource_class_again_after_a_collision() {
        Assignment assignment = assignment(slots("compute-1", 2));
        nova.placement().collide(3);

        acting.onStart(assignment);

        assertThat(nova.placement().entry("blazar_compute-1").totals())
                .containsOnly(Map.entry(classOf(assignment), 2L));

        nova.placement().collide(1_000);
        assertRetryable(acting.onStart(assignment(slots("compute-2", 1))));
    }

    @Test
    void a_start_creates_no_slots_on_a_host_that_cannot_be_leased() {
        nova.host("compute-2").up = false;
        nova.group("blazar_whole", "blazar_whole", "compute-3");

        assertThat(acting.onStart(assignment(slots("compute-2", 1))))
                .isEqualTo(lacks("The host compute-2 is down or disabled"));
        assertThat(acting.onStart(assignment(slots("compute-3", 1))))
                .isEqualTo(
                        lacks(
                                "The host compute-3 is in another availability zone\n"
                                        + "The host compute-3 is in the aggregate blazar_whole"));
        assertThat(acting.onStart(assignment(slots("compute-99", 1))))
                .isEqualTo(lacks("The host compute-99 does not exist"));
        assertRetryable(acting.onStart(assignment(slots("compute-5", 1))));
        assertThat(nova.placement().names()).noneMatch(name -> name.startsWith("blazar_"));
    }

    @Test
    void a_start_fails_when_the_slot_provider_belongs_to_another_host() {
        nova.placement().addRoot("of old", "old compute-1");
        nova.placement().addPart("blazar_compute-1", "of old");

        assertThat(acting.onStart(assignment(slots("compute-1", 1))))
                .isEqualTo(
                        lacks(
                                "The provider blazar_compute-1 in Placement is no part of the"
                                        + " host compute-1"));
    }

    @Test
    void a_start_creates_slots_on_each_host_with_six_requests() {
        Allocation[] hosts =
                IntStream.rangeClosed(1, 4)
                        .mapToObj(number -> slots("compute-" + number, 1))
                        .toArray(Allocation[]::new);
        acting.onStart(assignment(hosts));
        int before = nova.requests().size();

        assertThat(acting.onStart(assignment(hosts))).isInstanceOf(Result.Done.class);

        // And eleven for the reservation: to read, to create its aggregate, flavor and class, and
        // to announce the hosts of the aggregate.
        assertThat(nova.requests().size() - before).isEqualTo(4 * 6 + 11);
    }

    @ParameterizedTest
    @CsvSource({
        "UNAVAILABLE, RETRYABLE",
        "DEFECT, RETRYABLE",
        "ANSWER_LOST, RETRYABLE",
        "FORBIDDEN, DENIED"
    })
    void a_cloud_error_determines_the_kind_of_the_fault(
            CloudFaultProxy.Fault fault, Fault.Kind kind) {
        for (int step = 0; step < 8; step++) {
            Assignment assignment = assignment(slots("compute-1", 1));
            proxy.spoil(fault, step);
            assertThat(acting.onStart(assignment))
                    .as("step %d", step)
                    .isInstanceOfSatisfying(
                            Result.Failed.class,
                            failed -> assertThat(failed.fault().kind()).isEqualTo(kind));
            proxy.heal();
            assertThat(acting.onEnd(assignment)).isEqualTo(DONE);
        }
    }

    @Test
    void the_instances_plugin_cannot_enrol_a_host() {
        assertThat(acting.discover("compute-1")).isEqualTo(new Discovery.NotFound());
        assertThat(acting.enrol(new ResourceId(1), "compute-1"))
                .isInstanceOfSatisfying(
                        Result.Failed.class,
                        failed ->
                                assertThat(failed.fault().kind()).isEqualTo(Fault.Kind.PERMANENT));
    }

    private static Assignment wishing(Assignment old, Map<String, @Nullable Object> parameters) {
        return new Assignment(
                        old.lease(),
                        old.reservation(),
                        old.project(),
                        old.user(),
                        old.period(),
                        parameters,
                        old.resources())
                .withFence(old.fence());
    }
}
