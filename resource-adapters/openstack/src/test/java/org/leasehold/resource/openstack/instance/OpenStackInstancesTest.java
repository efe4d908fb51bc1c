package org.leasehold.resource.openstack.instance;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.Fault;
import org.leasehold.resource.Acting;
import org.leasehold.resource.Acting.Assignment;
import org.leasehold.resource.Acting.Discovery;
import org.leasehold.resource.Acting.Result;
import org.leasehold.resource.LossResult;
import org.leasehold.resource.Survey;
import org.leasehold.resource.openstack.Cloud;
import org.leasehold.resource.openstack.CloudFaultProxy;
import org.leasehold.resource.openstack.CloudSettings;
import org.leasehold.resource.openstack.FakePollingTime;
import org.leasehold.resource.openstack.ParallelCalls;
import org.leasehold.resource.openstack.PollingWait;
import org.leasehold.resource.openstack.compute.FakeNova;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.Share;
import org.leasehold.vocabulary.TrustId;
import org.leasehold.vocabulary.UserId;

import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

class OpenStackInstancesTest {

    private static final PollingWait LONG_WAIT =
            new PollingWait(Duration.ofSeconds(30), Duration.ofMillis(5));

    private static final ProjectId PROJECT = new ProjectId("project-1");
    private static final String STRANGER = "project-2";
    private static final Result DONE = new Result.Done();
    private static final int MORE_STEPS_THAN_ANY_CALL_HAS = 100;

    private final List<Cloud> clouds = new ArrayList<>();
    private FakeNova nova;
    private CloudFaultProxy proxy;
    private Acting acting;

    @BeforeEach
    void startCloud() throws IOException {
        nova =
                new FakeNova(
                        IntStream.rangeClosed(1, 9)
                                .mapToObj(number -> "compute-" + number)
                                .toList());
        nova.group("freepool", null, "compute-1", "compute-2", "compute-3", "compute-4");
        proxy = new CloudFaultProxy();
        acting = acting(LONG_WAIT);
    }

    @AfterEach
    void stopCloud() {
        clouds.forEach(Cloud::close);
        proxy.close();
        nova.close();
    }

    @Test
    void a_start_creates_a_private_flavor_that_requires_the_reserved_slots() {
        Assignment assignment = assignment(slots("compute-1", 2));
        String id = assignment.reservation().toString();

        Result started = acting.onStart(assignment);

        assertThat(started).isEqualTo(new Result.Done(Map.of("aggregate_id", nova.group(id).id)));
        FakeNova.Flavor flavor = nova.flavor(id);
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

        FakeNova.Flavor flavor = nova.flavor(id);
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

        FakeNova.Group own = nova.group(id);
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
    void an_end_keeps_another_reservation_on_the_same_host() {
        Assignment one = assignment(slots("compute-1", 2));
        Assignment other = assignment(slots("compute-1", 3));
        acting.onStart(one);
        acting.onStart(other);
        List<String> before = acting.inspect(other.reservation());
        boots(other, PROJECT.value());

        assertThat(acting.onEnd(one)).isEqualTo(DONE);

        assertThat(acting.inspect(other.reservation()))
                .containsAll(before)
                .contains("server/of project-1");
        assertThat(nova.placement().entry("blazar_compute-1").totals())
                .containsOnly(Map.entry(classOf(other), 3L));
    }

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
    void an_end_deletes_all_servers_in_the_slots_and_keeps_other_servers() {
        Assignment assignment = assignment(slots("compute-1", 2));
        acting.onStart(assignment);
        nova.flavor(assignment.reservation().toString()).projects.add("a guest's project");
        boots(assignment, PROJECT.value());
        boots(assignment, "a guest's project");
        nova.boot("somebody else's", STRANGER, "compute-1");

        assertThat(acting.onEnd(assignment)).isEqualTo(DONE);

        assertThat(nova.guests()).containsExactly("somebody else's");
        assertThat(acting.inspect(assignment.reservation())).isEmpty();
        assertThat(nova.flavors()).isEmpty();
        assertThat(nova.groupNames()).containsExactly("freepool");
        assertThat(nova.placement().classes()).isEmpty();
        assertThat(nova.placement().entry("blazar_compute-1").totals()).isEmpty();
    }

    @Test
    void an_end_waits_until_placement_frees_the_slots() {
        Assignment assignment = assignment(slots("compute-1", 2));
        acting.onStart(assignment);
        boots(assignment, PROJECT.value());
        nova.placement().beSlow();

        assertThat(acting.onEnd(assignment)).isEqualTo(DONE);

        assertThat(nova.placement().classes()).isEmpty();
    }

    @Test
    void an_unfinished_end_names_remaining_servers_and_blocks_new_ones() {
        Assignment assignment = assignment(slots("compute-1", 2));
        acting.onStart(assignment);
        FakeNova.Guest stubborn =
                nova.boot("stubborn", PROJECT.value(), assignment.reservation()).orElseThrow();
        stubborn.stubborn = true;

        assertThat(acting(FakePollingTime.looks(10)).onEnd(assignment))
                .isInstanceOfSatisfying(
                        Result.Failed.class,
                        failed -> {
                            assertThat(failed.fault().kind()).isEqualTo(Fault.Kind.RETRYABLE);
                            assertThat(failed.fault().message()).contains("stubborn");
                            assertThat(failed.fault().forHolder().message())
                                    .endsWith("is still a number of servers: 1")
                                    .doesNotContain("stubborn");
                        });
        // Not even a project that an administrator adds again.
        nova.flavor(assignment.reservation().toString()).projects.add(STRANGER);
        assertThat(boots(assignment, STRANGER)).isFalse();
        stubborn.stubborn = false;

        assertThat(acting.onEnd(assignment)).isEqualTo(DONE);
    }

    @Test
    void an_end_frees_slots_on_hosts_missing_from_the_assignment() {
        Assignment assignment = assignment(slots("compute-1", 1));
        acting.onStart(assignment);
        acting.onAdjust(again(assignment, slots("compute-1", 1), slots("compute-2", 1)), List.of());

        assertThat(acting.onEnd(assignment)).isEqualTo(DONE);

        assertThat(nova.placement().entry("blazar_compute-2").totals()).isEmpty();
        assertThat(nova.placement().classes()).isEmpty();
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
    void the_instances_plugin_cannot_enrol_a_host() {
        assertThat(acting.discover("compute-1")).isEqualTo(new Discovery.NotFound());
        assertThat(acting.enrol(new ResourceId(1), "compute-1"))
                .isInstanceOfSatisfying(
                        Result.Failed.class,
                        failed ->
                                assertThat(failed.fault().kind()).isEqualTo(Fault.Kind.PERMANENT));
    }

    @Test
    void a_call_makes_no_changes_after_the_fencing_token_is_stale() {
        Assignment started = assignment(slots("compute-1", 1));
        acting.onStart(started);
        AtomicInteger left = new AtomicInteger(2);
        long before = changes();

        assertRetryable(acting.onEnd(fenced(started, () -> left.getAndDecrement() > 0)));

        assertThat(changes() - before).isEqualTo(2);
    }

    @Test
    void a_server_group_is_created_with_the_trust_and_deleted_without_it() {
        nova.keystone().trust("trust-1", PROJECT.value());
        Assignment assignment = apart(new TrustId("trust-1"));
        String id = assignment.reservation().toString();

        assertThat(acting.onStart(assignment)).isInstanceOf(Result.Done.class);
        Result again = acting.onStart(assignment);

        assertThat(nova.serverGroups())
                .singleElement()
                .satisfies(
                        group -> {
                            assertThat(group.name()).isEqualTo("reservation:" + id);
                            assertThat(group.policy()).isEqualTo("anti-affinity");
                            assertThat(group.project()).isEqualTo(PROJECT.value());
                            assertThat(again)
                                    .isEqualTo(
                                            new Result.Done(
                                                    Map.of(
                                                            "aggregate_id",
                                                            nova.group(id).id,
                                                            "server_group_id",
                                                            group.id())));
                            assertThat(nova.flavor(id).extraSpecs)
                                    .containsEntry("affinity_id", group.id());
                            assertThat(nova.group(id).metadata)
                                    .containsEntry("affinity_id", group.id());
                        });
        nova.keystone().forgetTrusts();
        assertThat(acting.onEnd(assignment)).isEqualTo(DONE);
        assertThat(acting.inspect(assignment.reservation())).isEmpty();
        assertThat(nova.serverGroups()).isEmpty();
    }

    @Test
    void an_end_succeeds_without_the_server_group() {
        nova.keystone().trust("trust-1", PROJECT.value());
        Assignment assignment = apart(new TrustId("trust-1"));
        acting.onStart(assignment);
        nova.forgetServerGroups();

        assertThat(acting.onEnd(assignment)).isEqualTo(DONE);
        assertThat(acting.inspect(assignment.reservation())).isEmpty();
        assertThat(acting.survey()).isEqualTo(new Survey.Seen(Map.of()));
    }

    @Test
    void an_adjustment_restores_a_removed_server_group() {
        nova.keystone().trust("trust-1", PROJECT.value());
        Assignment assignment = apart(new TrustId("trust-1"));
        acting.onStart(assignment);
        nova.forgetServerGroups();

        assertThat(acting.onAdjust(assignment, List.of())).isInstanceOf(Result.Done.class);
        assertThat(nova.serverGroups())
                .singleElement()
                .satisfies(
                        group ->
                                assertThat(
                                                nova.flavor(assignment.reservation().toString())
                                                        .extraSpecs)
                                        .containsEntry("affinity_id", group.id()));
    }

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

    @Test
    void an_end_without_the_flavor_deletes_the_servers_in_the_slots() {
        Assignment slots = assignment(slots("compute-1", 1));
        acting.onStart(slots);
        assertThat(nova.boot("in a slot", PROJECT.value(), slots.reservation())).isPresent();
        nova.boot("beside", PROJECT.value(), "compute-1");
        nova.forgetFlavor(slots.reservation().toString());

        assertThat(acting.onEnd(slots)).isEqualTo(DONE);

        assertThat(nova.guests()).containsExactly("beside");
        assertThat(acting.inspect(slots.reservation())).isEmpty();
    }

    @Test
    void an_end_without_the_aggregate_frees_slots_on_leaving_hosts() {
        Assignment slots = assignment(slots("compute-1", 1), slots("compute-2", 1));
        acting.onStart(slots);
        nova.forgetGroup(slots.reservation().toString());

        assertThat(acting.onEnd(again(slots, slots("compute-1", 1)))).isEqualTo(DONE);

        assertThat(acting.survey()).isEqualTo(new Survey.Seen(Map.of()));
    }

    @Test
    void an_end_without_the_provider_of_slots_deletes_everything_else() {
        Assignment slots = assignment(slots("compute-1", 1), slots("compute-2", 1));
        acting.onStart(slots);
        nova.placement().forget("blazar_compute-1");

        assertThat(acting.onEnd(slots)).isEqualTo(DONE);

        assertThat(acting.inspect(slots.reservation())).isEmpty();
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

    @Test
    void a_survey_finds_each_part_of_a_reservation_independently() {
        nova.keystone().trust("trust-1", PROJECT.value());
        Assignment whole = apart(new TrustId("trust-1"));
        acting.onStart(whole);
        String id = whole.reservation().toString();
        Assignment slots = assignment(slots("compute-1", 1), slots("compute-2", 1));
        acting.onStart(slots);
        nova.forgetGroup(slots.reservation().toString());
        nova.forgetFlavor(slots.reservation().toString());
        ReservationId flavor = new ReservationId(UUID.randomUUID());
        makeFlavor(flavor.toString(), "reservation:" + flavor, false);
        makeFlavor("1", "m1.small", true);
        ReservationId group = new ReservationId(UUID.randomUUID());
        nova.serverGroup("reservation:" + group, STRANGER);
        nova.serverGroup("reservation:of a table", STRANGER);

        Survey survey = acting.survey();

        assertThat(survey)
                .isEqualTo(
                        new Survey.Seen(
                                Map.of(
                                        whole.reservation(),
                                        List.of(
                                                "flavor/" + id,
                                                "resource class/" + id,
                                                "server group/" + id,
                                                "aggregate/" + id,
                                                "host/" + FakeNova.serviceOf("compute-1"),
                                                "host/" + FakeNova.serviceOf("compute-2"),
                                                "slots/compute-1/1",
                                                "slots/compute-2/1"),
                                        slots.reservation(),
                                        List.of(
                                                "resource class/" + slots.reservation(),
                                                "slots/compute-1/1",
                                                "slots/compute-2/1"),
                                        flavor,
                                        List.of("flavor/" + flavor),
                                        group,
                                        List.of("server group/" + group))));
    }

    @Test
    void a_survey_goes_on_when_a_flavor_is_deleted_while_it_reads() {
        for (String id : List.of("1", "2", "3")) {
            makeFlavor(id, "m1." + id, true);
        }
        nova.flee("2");
        // After the others, so that the deleted one is the last of a page.
        ReservationId last =
                ReservationId.find("f0000000-0000-4000-8000-000000000000").orElseThrow();
        Assignment assignment = assignment(last, List.of(slots("compute-1", 1)), () -> true);
        acting.onStart(assignment);

        assertThat(acting.survey())
                .isInstanceOfSatisfying(
                        Survey.Seen.class,
                        seen ->
                                assertThat(seen.things())
                                        .containsOnlyKeys(assignment.reservation()));
        assertThat(nova.flavors()).doesNotContain("2");
    }

    @Test
    void an_empty_slot_provider_belongs_to_no_reservation() {
        Assignment assignment = assignment(slots("compute-1", 1));
        acting.onStart(assignment);
        acting.onEnd(assignment);

        assertThat(nova.placement().names()).contains("blazar_compute-1");
        assertThat(acting.survey()).isEqualTo(new Survey.Seen(Map.of()));
    }

    @Test
    void a_start_with_affinity_and_an_invalid_trust_is_denied() {
        Assignment assignment = apart(new TrustId("trust-that-was-deleted"));

        assertDenied(acting.onStart(assignment));

        assertThat(boots(assignment, PROJECT.value())).isFalse();
        assertThat(acting.onEnd(assignment)).isEqualTo(DONE);
        assertThat(acting.inspect(assignment.reservation())).isEmpty();
    }

    @Test
    void a_start_with_affinity_is_denied_until_server_group_quota_is_free() {
        nova.keystone().trust("trust-1", PROJECT.value());
        nova.serverGroupQuota(0);
        Assignment assignment = apart(new TrustId("trust-1"));

        assertDenied(acting.onStart(assignment));
        nova.serverGroupQuota(1);
        assertThat(acting.onStart(assignment)).isInstanceOf(Result.Done.class);

        assertThat(nova.serverGroups()).hasSize(1);
        assertThat(boots(assignment, PROJECT.value())).isTrue();
    }

    @Test
    void an_adjustment_with_an_existing_server_group_needs_no_trust() {
        nova.keystone().trust("trust-1", PROJECT.value());
        Assignment assignment = apart(new TrustId("trust-1"));
        acting.onStart(assignment);
        nova.keystone().forgetTrusts();

        assertThat(acting.onAdjust(assignment, List.of())).isEqualTo(DONE);
    }

    private static void assertDenied(Result result) {
        assertThat(result)
                .isInstanceOfSatisfying(
                        Result.Failed.class,
                        failed -> {
                            assertThat(failed.fault().kind()).isEqualTo(Fault.Kind.DENIED);
                            assertThat(failed.fault().message())
                                    .startsWith(
                                            "The server group that the affinity asks for cannot be"
                                                    + " made: ");
                        });
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

    private void makeFlavor(String id, String name, boolean open) {
        nova.makeFlavor(
                id,
                Map.of(
                        "name", name,
                        "vcpus", 1,
                        "ram", 512,
                        "disk", 1,
                        "os-flavor-access:is_public", open));
    }

    private long changes() {
        return nova.requests().stream().filter(request -> !request.startsWith("GET")).count();
    }

    /** Returns whether a user of a project gets a server by the reservation's flavor. */
    private boolean boots(Assignment assignment, String project) {
        return nova.boot("of " + project, project, assignment.reservation()).isPresent();
    }

    private Acting acting(PollingWait eviction) {
        Map<String, String> settings = new HashMap<>(nova.settings());
        settings.computeIfPresent("auth-url", (_, url) -> proxy.before(URI.create(url)).toString());
        Cloud cloud = new Cloud(CloudSettings.of(settings), Clock.systemUTC());
        clouds.add(cloud);
        return new OpenStackInstances(cloud, eviction, new ParallelCalls(16));
    }

    private static void assertRetryable(Result result) {
        assertThat(result)
                .isInstanceOfSatisfying(
                        Result.Failed.class,
                        failed ->
                                assertThat(failed.fault().kind()).isEqualTo(Fault.Kind.RETRYABLE));
    }

    private static Result lacks(String message) {
        return new Result.Failed(new Fault(Fault.Kind.INSUFFICIENT_RESOURCES, message));
    }

    private static String classOf(Assignment assignment) {
        return ReservedSlots.classOf(assignment.reservation());
    }

    private static Allocation slots(String host, int slots) {
        return new Allocation(
                new ResourceId(Long.parseLong(host.replace("compute-", ""))),
                host,
                Map.of(),
                new Share(slots, Map.of("VCPU", 4L, "MEMORY_MB", 8_192L, "DISK_GB", 40L)));
    }

    private static Assignment assignment(Allocation... hosts) {
        return assignment(new ReservationId(UUID.randomUUID()), List.of(hosts), () -> true);
    }

    private static Assignment apart(@Nullable TrustId trust) {
        return new Assignment(
                new LeaseId(UUID.randomUUID()),
                new ReservationId(UUID.randomUUID()),
                PROJECT,
                new UserId("user-1"),
                new LeasePeriod(
                        Instant.parse("2030-01-01T00:00:00Z"),
                        Instant.parse("2030-01-02T00:00:00Z")),
                Map.of("vcpus", 4, "memory_mb", 8_192, "disk_gb", 40, "affinity", false),
                List.of(slots("compute-1", 1), slots("compute-2", 1)),
                () -> true,
                _ -> Optional.empty(),
                trust);
    }

    private static Assignment again(Assignment old, Allocation... hosts) {
        return assignment(old.reservation(), List.of(hosts), old.fence());
    }

    private static Assignment fenced(Assignment old, Acting.Fence fence) {
        return old.withFence(fence);
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

    private static Assignment assignment(
            ReservationId reservation, List<Allocation> hosts, Acting.Fence fence) {
        return new Assignment(
                        new LeaseId(UUID.randomUUID()),
                        reservation,
                        PROJECT,
                        new UserId("user-1"),
                        new LeasePeriod(
                                Instant.parse("2030-01-01T00:00:00Z"),
                                Instant.parse("2030-01-02T00:00:00Z")),
                        Map.of("vcpus", 4, "memory_mb", 8_192, "disk_gb", 40, "amount", 2),
                        hosts)
                .withFence(fence);
    }
}
