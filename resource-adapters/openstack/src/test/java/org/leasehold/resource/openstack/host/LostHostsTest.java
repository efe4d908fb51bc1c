package org.leasehold.resource.openstack.host;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.Fault;
import org.leasehold.resource.Acting.Assignment;
import org.leasehold.resource.Acting.Result;
import org.leasehold.resource.InventoryResult;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.openstack.CloudSettings;
import org.leasehold.resource.openstack.PollingWait;
import org.leasehold.resource.openstack.compute.FakeAggregate;
import org.leasehold.resource.openstack.compute.FakeGuest;
import org.leasehold.resource.openstack.compute.FakeNova;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.UserId;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.UUID;
import java.util.stream.IntStream;

/** Tests with an aggregate of a running reservation that is deleted, or loses a host, by hand. */
class LostHostsTest {

    private static final String HOLDER = "project-1";
    private static final String STRANGER = "project-2";
    private static final Result DONE = new Result.Done();

    private FakeNova nova;
    private ResourcePlugin plugin;

    @BeforeEach
    void startCloud() {
        nova = new FakeNova(IntStream.rangeClosed(1, 4).mapToObj(LostHostsTest::name).toList());
        plugin =
                OpenStackHostsProvider.create(
                        HostIsolation.FILTER,
                        CloudSettings.of(nova.settings()),
                        new PollingWait(Duration.ofSeconds(30), Duration.ofMillis(5)));
        IntStream.rangeClosed(1, 4)
                .forEach(number -> plugin.acting().enrol(new ResourceId(number), name(number)));
    }

    @AfterEach
    void stopCloud() {
        plugin.close();
        nova.close();
    }

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

    @Test
    void a_host_removed_from_the_freepool_is_a_stray_until_it_is_enrolled() {
        started(1);
        nova.group("freepool").hosts.removeAll(services(2));

        assertThat(strays()).containsExactly(name(2));
        assertThat(plugin.acting().enrol(new ResourceId(2), name(2))).isEqualTo(DONE);

        assertThat(strays()).isEmpty();
    }

    @Test
    void hosts_outside_all_aggregates_are_strays_after_the_freepool_is_deleted() {
        Assignment assignment = started(1);
        nova.forgetGroup("freepool");

        assertThat(strays()).containsExactly(name(2), name(3), name(4));
        nova.forgetGroup(assignment.reservation().toString());
        assertThat(strays()).containsExactly(name(1), name(2), name(3), name(4));
    }

    @Test
    void hosts_in_another_zone_and_hosts_unknown_to_nova_are_not_strays() {
        nova.forgetGroup("freepool");
        nova.group("repair", "repair", name(1));
        nova.forget(name(2));

        assertThat(strays()).containsExactly(name(3), name(4));
    }

    @Test
    void a_host_of_a_deleted_aggregate_is_pooled_once_it_is_in_the_freepool() {
        Assignment assignment = started(1, 2);
        assertThat(look().pooled()).containsExactly(name(3), name(4));

        nova.forgetGroup(assignment.reservation().toString());
        nova.group("freepool").hosts.addAll(services(2));

        assertThat(look().pooled()).containsExactly(name(2), name(3), name(4));
        assertThat(strays()).containsExactly(name(1));
    }

    private SortedSet<String> strays() {
        return look().strays();
    }

    private InventoryResult.Known look() {
        InventoryResult look =
                plugin.acting()
                        .inventory(
                                IntStream.rangeClosed(1, 4).mapToObj(LostHostsTest::name).toList());
        assertThat(look).isInstanceOf(InventoryResult.Known.class);
        return (InventoryResult.Known) look;
    }

    private Assignment started(int... hosts) {
        Assignment assignment = of(new ReservationId(UUID.randomUUID()), hosts);
        assertThat(plugin.acting().onStart(assignment)).isInstanceOf(Result.Done.class);
        return assignment;
    }

    private static Assignment of(ReservationId reservation, int... hosts) {
        return new Assignment(
                new LeaseId(UUID.randomUUID()),
                reservation,
                new ProjectId(HOLDER),
                new UserId("user-1"),
                new LeasePeriod(
                        Instant.parse("2030-01-01T00:00:00Z"),
                        Instant.parse("2030-01-02T00:00:00Z")),
                Map.of("before_end", "default"),
                allocations(hosts));
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

    private static List<Allocation> allocations(int... hosts) {
        return IntStream.of(hosts)
                .mapToObj(host -> new Allocation(new ResourceId(host), name(host), Map.of()))
                .toList();
    }

    private static List<String> services(int... hosts) {
        return IntStream.of(hosts).mapToObj(host -> FakeNova.serviceOf(name(host))).toList();
    }

    private static String name(int host) {
        return "compute-" + host;
    }
}
