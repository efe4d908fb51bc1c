package org.leasehold.resource.openstack.host;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.leasehold.inventory.Outage;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.Fault;
import org.leasehold.resource.Acting;
import org.leasehold.resource.Acting.Assignment;
import org.leasehold.resource.Acting.Discovery;
import org.leasehold.resource.Acting.Look;
import org.leasehold.resource.Acting.Result;
import org.leasehold.resource.Acting.Running;
import org.leasehold.resource.Acting.Running.Load;
import org.leasehold.resource.Acting.Squatter;
import org.leasehold.resource.Acting.Survey;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.openstack.Cloud;
import org.leasehold.resource.openstack.CloudFaultProxy;
import org.leasehold.resource.openstack.CloudSettings;
import org.leasehold.resource.openstack.FakeOpenStack.Said;
import org.leasehold.resource.openstack.FakePollingTime;
import org.leasehold.resource.openstack.PollingWait;
import org.leasehold.resource.openstack.compute.FakeNova;
import org.leasehold.resource.openstack.compute.Nova;
import org.leasehold.resource.openstack.compute.NovaChanges;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;
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
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;

class OpenStackHostsTest {

    private static final PollingWait LONG_WAIT =
            new PollingWait(Duration.ofSeconds(30), Duration.ofMillis(5));

    private static final ProjectId PROJECT = new ProjectId("project-1");
    private static final String STRANGER = "project-2";
    private static final Result DONE = new Result.Done();

    private final List<ResourcePlugin> plugins = new ArrayList<>();
    private FakeNova nova;
    private CloudFaultProxy proxy;
    private Acting acting;

    @BeforeEach
    void startCloud() throws IOException {
        nova =
                new FakeNova(
                        IntStream.rangeClosed(1, 12)
                                .mapToObj(number -> "compute-" + number)
                                .toList());
        proxy = new CloudFaultProxy();
        acting = acting(HostIsolation.FILTER, "30s", LONG_WAIT);
        for (int number = 1; number <= 4; number++) {
            acting.enrol(new ResourceId(number), "compute-" + number);
        }
    }

    @AfterEach
    void stopCloud() {
        plugins.forEach(ResourcePlugin::close);
        proxy.close();
        nova.close();
    }

    @Test
    void a_host_is_found_by_the_full_name() {
        Discovery found = acting.discover("compute-1");

        assertThat(acting.discover("compute")).isEqualTo(new Discovery.NotFound());
        assertThat(found)
                .isInstanceOfSatisfying(
                        Discovery.Found.class,
                        host ->
                                assertThat(host.attributes())
                                        .containsEntry("hypervisor_hostname", "compute-1")
                                        .containsEntry(
                                                "service_name", FakeNova.serviceOf("compute-1"))
                                        .containsEntry("hypervisor_type", "QEMU")
                                        .containsEntry("hypervisor_version", 8_002_002L)
                                        .containsEntry("vcpus", 64L)
                                        .containsEntry("memory_mb", 262_144L)
                                        .containsEntry("local_gb", 4_000L)
                                        .containsEntry("cpu_info", "{\"arch\":\"x86_64\"}"));
    }

    @Test
    void a_host_with_servers_on_it_is_in_use() {
        nova.boot("web", STRANGER, "compute-1");

        assertThat(acting.discover("compute-1"))
                .isEqualTo(new Discovery.InUse("compute-1", List.of("web")));
    }

    @Test
    void the_running_load_is_reported_for_busy_and_idle_hosts() {
        nova.boot("web", STRANGER, "compute-1").vcpus = 4;
        nova.boot("mail", PROJECT.value(), "compute-1").vcpus = 2;
        nova.boot("elsewhere", STRANGER, "compute-3");
        nova.boot("nowhere", STRANGER, "compute-2").isPlaced = false;

        assertThat(acting.readLoads(List.of("compute-1", "compute-2")))
                .isEqualTo(
                        new Running.Known(
                                Map.of("compute-1", new Load(2, 6), "compute-2", Load.NONE)));
    }

    @Test
    void the_running_load_is_unknown_when_nova_does_not_answer() {
        nova.close();

        assertThat(acting.readLoads(List.of("compute-1"))).isInstanceOf(Running.Unknown.class);
    }

    @Test
    void a_host_of_another_availability_zone_cannot_be_enrolled() {
        nova.group("racks", "az1", "compute-5");

        assertThat(acting.discover("compute-5"))
                .isInstanceOfSatisfying(
                        Discovery.Unknown.class,
                        unknown -> {
                            assertThat(unknown.fault().kind()).isEqualTo(Fault.Kind.PERMANENT);
                            assertThat(unknown.fault().message()).contains("az1");
                        });
    }

    @Test
    void a_node_with_a_shared_compute_service_cannot_be_enrolled() {
        nova.host("compute-5").type = "ironic";

        assertThat(acting.discover("compute-5"))
                .isInstanceOfSatisfying(
                        Discovery.Unknown.class,
                        unknown ->
                                assertThat(unknown.fault().kind()).isEqualTo(Fault.Kind.PERMANENT));
    }

    @Test
    void an_inventory_reads_all_pages_and_reports_outages_and_attributes() {
        nova.host("compute-1").up = false;
        nova.host("compute-2").enabled = false;
        nova.host("compute-3").memoryMb = 1_024;
        nova.boot("web", STRANGER, "compute-3");
        nova.forget("compute-4");
        int before = nova.requests().size();

        // 11 hosts on pages of 3, and an empty page after them.
        Look.Known known =
                (Look.Known)
                        acting.inventory(
                                List.of("compute-1", "compute-2", "compute-3", "compute-4"));

        assertThat(nova.requests().subList(before, nova.requests().size()))
                .filteredOn("GET /os-hypervisors/detail"::equals)
                .hasSize(5);
        assertThat(known.outages())
                .isEqualTo(
                        Map.of(
                                "compute-1",
                                Outage.down("Nova says that it is down"),
                                "compute-2",
                                Outage.closed("Nova says that it is disabled"),
                                "compute-4",
                                Outage.down("Nova does not know it any more")));
        assertThat(known.found()).containsOnlyKeys("compute-3");
        assertThat(known.found().get("compute-3").attributes())
                .containsEntry("memory_mb", 1_024L)
                .containsEntry("vcpus", 64L);
    }

    @Test
    void a_trait_is_an_attribute_while_the_host_has_it() {
        nova.placement().characterise("compute-5", "HW_CPU_X86_AVX2", "CUSTOM_SSD");

        Discovery.Found found = (Discovery.Found) acting.discover("compute-5");
        assertThat(found.attributes())
                .containsEntry("HW_CPU_X86_AVX2", true)
                .containsEntry("CUSTOM_SSD", true)
                .containsEntry("vcpus", 64L);
        assertThat(look("compute-5").found()).isEqualTo(Map.of("compute-5", found));
        nova.placement().characterise("compute-5", "HW_CPU_X86_AVX2", "COMPUTE_STATUS_DISABLED");
        assertThat(look("compute-5").found().get("compute-5").attributes())
                .containsEntry("HW_CPU_X86_AVX2", true)
                .doesNotContainKeys("CUSTOM_SSD", "COMPUTE_STATUS_DISABLED");
    }

    @Test
    void an_inventory_reads_traits_again_only_for_changed_hosts() {
        look("compute-5", "compute-6", "compute-7");
        assertThat(askedForTraits()).isEqualTo(3);

        look("compute-5", "compute-6", "compute-7");
        assertThat(askedForTraits()).isEqualTo(3);
        nova.placement().characterise("compute-6", "CUSTOM_SSD");
        look("compute-5", "compute-6", "compute-7");

        assertThat(askedForTraits()).isEqualTo(4);
    }

    @Test
    void a_cloud_without_placement_has_hosts_without_traits() {
        nova.placement().characterise("compute-5", "CUSTOM_SSD");
        nova.keystone().lacks("placement");
        acting = acting(HostIsolation.FILTER, "30s", LONG_WAIT);

        Discovery.Found found = (Discovery.Found) acting.discover("compute-5");

        assertThat(found.attributes()).containsKey("vcpus").doesNotContainKey("CUSTOM_SSD");
        assertThat(look("compute-5").found()).isEqualTo(Map.of("compute-5", found));
    }

    @Test
    void a_placement_error_makes_attributes_unknown_but_outages_are_reported() {
        nova.host("compute-6").up = false;
        nova.keystone().answer("placement", _ -> Said.nothing(503));

        Look.Known known = look("compute-5", "compute-6");

        assertThat(known.outages()).containsOnlyKeys("compute-6");
        assertThat(known.found()).isEmpty();
        assertThat(acting.discover("compute-5")).isInstanceOf(Discovery.Unknown.class);
    }

    @Test
    void a_placement_that_answers_403_or_406_is_treated_as_absent() {
        nova.placement().characterise("compute-5", "CUSTOM_SSD");

        for (int status : List.of(403, 406)) {
            nova.keystone().answer("placement", _ -> Said.nothing(status));

            Discovery.Found found = (Discovery.Found) acting.discover("compute-5");
            assertThat(found.attributes()).containsKey("vcpus").doesNotContainKey("CUSTOM_SSD");
            assertThat(look("compute-5").found()).isEqualTo(Map.of("compute-5", found));
        }
    }

    @Test
    void traits_are_read_from_a_placement_with_microversion_1_6() {
        nova.placement().isAsOldAs(6);
        nova.placement().characterise("compute-5", "CUSTOM_SSD");

        Discovery.Found found = (Discovery.Found) acting.discover("compute-5");

        assertThat(found.attributes()).containsEntry("CUSTOM_SSD", true);
        assertThat(look("compute-5").found()).isEqualTo(Map.of("compute-5", found));
    }

    @Test
    void a_placement_error_for_one_host_does_not_affect_the_other_hosts() {
        nova.placement().characterise("compute-5", "CUSTOM_SSD");
        String silent = "/" + nova.placement().entry("compute-6").id() + "/traits";
        AtomicInteger answers = new AtomicInteger();
        nova.keystone()
                .answer(
                        "placement",
                        request -> {
                            if (request.path().endsWith(silent)) {
                                return Said.nothing(503);
                            }
                            if (request.path().endsWith("/traits")) {
                                answers.incrementAndGet();
                            }
                            return nova.placement().answer(request);
                        });

        Look.Known known = look("compute-5", "compute-6", "compute-7");

        assertThat(known.found()).containsOnlyKeys("compute-5", "compute-7");
        assertThat(known.found().get("compute-5").attributes()).containsEntry("CUSTOM_SSD", true);
        assertThat(look("compute-5", "compute-6", "compute-7").found())
                .containsOnlyKeys("compute-5", "compute-7");
        assertThat(answers).hasValue(2);
    }

    @Test
    void an_inventory_omits_a_host_that_placement_does_not_list() {
        nova.placement().characterise("compute-5", "CUSTOM_SSD");
        assertThat(look("compute-5", "compute-6").found())
                .containsOnlyKeys("compute-5", "compute-6");

        nova.placement().forget("compute-5");
        assertThat(look("compute-5", "compute-6").found()).containsOnlyKeys("compute-6");
        nova.placement().names().forEach(nova.placement()::forget);
        assertThat(look("compute-5", "compute-6").found()).isEmpty();
    }

    @Test
    void the_order_of_cpu_features_does_not_change_the_attributes() {
        nova.host("compute-5").features = List.of("sse2", "avx", "vmx");
        Map<String, Discovery.Found> one = look("compute-5").found();

        nova.host("compute-5").features = List.of("vmx", "sse2", "avx");
        assertThat(look("compute-5").found()).isEqualTo(one);
        assertThat(one.get("compute-5").attributes())
                .containsEntry(
                        "cpu_info",
                        "{\"arch\":\"x86_64\",\"features\":[\"avx\",\"sse2\",\"vmx\"]}");
        nova.host("compute-5").features = List.of("vmx", "avx");
        assertThat(look("compute-5").found()).isNotEqualTo(one);
    }

    private Look.Known look(String... names) {
        return (Look.Known) acting.inventory(List.of(names));
    }

    private long askedForTraits() {
        return nova.requests().stream().filter(request -> request.endsWith("/traits")).count();
    }

    @Test
    void enrolment_creates_the_freepool_and_adds_the_hosts() {
        assertThat(nova.group("freepool").zone).isNull();
        assertThat(nova.group("freepool").metadata).isEmpty();
        assertThat(nova.group("freepool").hosts)
                .containsExactlyElementsOf(
                        services("compute-1", "compute-2", "compute-3", "compute-4"));
    }

    @Test
    void tenancy_isolation_closes_the_freepool_to_all_projects() {
        Acting tenancy = acting(HostIsolation.TENANCY, "30s", LONG_WAIT);

        assertThat(tenancy.enrol(new ResourceId(5), "compute-5")).isEqualTo(DONE);

        assertThat(nova.group("freepool").metadata)
                .containsOnly(
                        Map.entry("filter_tenant_id", "0".repeat(32)),
                        Map.entry("trait:CUSTOM_RESERVABLE", "required"));
    }

    @Test
    void a_started_reservation_is_an_aggregate_with_zone_owner_and_hosts() {
        Assignment assignment = assignment("compute-1", "compute-2");

        assertThat(acting.onStart(assignment)).isEqualTo(started(assignment));

        FakeNova.Group own = own(assignment);
        assertThat(own.zone).isEqualTo("blazar_" + assignment.reservation());
        assertThat(own.metadata).containsExactly(Map.entry("blazar:owner", PROJECT.value()));
        assertThat(own.hosts).containsExactlyElementsOf(services("compute-1", "compute-2"));
        assertThat(nova.group("freepool").hosts)
                .containsExactlyElementsOf(services("compute-3", "compute-4"));
    }

    /** Starts in the state in which a lease is migrated from Blazar. */
    @Test
    void an_aggregate_from_blazar_is_found_kept_and_ended() {
        Assignment assignment = assignment("compute-5", "compute-6");
        String id = assignment.reservation().toString();
        nova.group(id, "blazar_" + id, "compute-5", "compute-6");
        own(assignment).metadata.put("blazar:owner", PROJECT.value());
        nova.boot("theirs", PROJECT.value(), "compute-5");
        assertThat(acting.inspect(assignment.reservation()))
                .containsExactly(
                        "aggregate/" + id,
                        "host/" + FakeNova.serviceOf("compute-5"),
                        "server/theirs",
                        "host/" + FakeNova.serviceOf("compute-6"));

        // Its hosts are enrolled here after the aggregate exists.
        acting.enrol(new ResourceId(5), "compute-5");
        acting.enrol(new ResourceId(6), "compute-6");
        assertThat(nova.guests()).containsExactly("theirs");
        assertThat(nova.group("freepool").hosts).hasSize(4);

        assertThat(acting.onEnd(assignment)).isEqualTo(DONE);
        assertThat(nova.guests()).isEmpty();
        assertThat(nova.groupNames()).containsExactly("freepool");
        assertThat(nova.group("freepool").hosts).containsAll(services("compute-5", "compute-6"));
    }

    @Test
    void tenancy_isolation_sets_the_project_as_tenant_of_the_aggregate() {
        Acting tenancy = acting(HostIsolation.TENANCY, "30s", LONG_WAIT);
        Assignment assignment = assignment("compute-1");

        assertThat(tenancy.onStart(assignment)).isEqualTo(started(assignment));

        assertThat(own(assignment).metadata)
                .containsOnly(
                        Map.entry("blazar:owner", PROJECT.value()),
                        Map.entry("filter_tenant_id", PROJECT.value()));
    }

    @Test
    void an_aggregate_is_closed_until_all_hosts_are_ready_and_during_the_end() {
        Assignment assignment = assignment("compute-1", "compute-2");
        // The aggregate is created and closed, both hosts join, and then a request fails.
        proxy.spoil(CloudFaultProxy.Fault.UNAVAILABLE, 4);
        assertRetryable(acting.onStart(assignment));
        assertThat(own(assignment).hosts).hasSize(2);
        assertThat(own(assignment).metadata).containsEntry("blazar:owner", "0".repeat(32));

        assertThat(acting.onStart(assignment)).isEqualTo(started(assignment));
        assertThat(own(assignment).metadata).containsEntry("blazar:owner", PROJECT.value());

        proxy.spoil(CloudFaultProxy.Fault.UNAVAILABLE, 1);
        assertRetryable(acting.onEnd(assignment));
        assertThat(own(assignment).metadata).containsEntry("blazar:owner", "0".repeat(32));
    }

    @Test
    void an_aggregate_from_blazar_is_closed_until_all_hosts_are_ready() {
        Assignment assignment = assignment("compute-1", "compute-2");
        String id = assignment.reservation().toString();
        nova.group(id, "blazar_" + id);
        own(assignment).metadata.put("blazar:owner", PROJECT.value());
        // It is closed, both hosts join, and then a request fails.
        proxy.spoil(CloudFaultProxy.Fault.UNAVAILABLE, 3);
        assertRetryable(acting.onStart(assignment));
        assertThat(own(assignment).hosts).hasSize(2);
        assertThat(own(assignment).metadata).containsEntry("blazar:owner", "0".repeat(32));

        assertThat(acting.onStart(assignment)).isEqualTo(started(assignment));
        assertThat(own(assignment).metadata).containsEntry("blazar:owner", PROJECT.value());
    }

    @Test
    void a_start_fails_on_a_host_that_is_down_disabled_or_missing() {
        nova.host("compute-1").up = false;
        nova.host("compute-2").enabled = false;
        nova.forget("compute-3");

        assertThat(acting.onStart(assignment("compute-1")))
                .isEqualTo(lacks("The host compute-1 is down or disabled"));
        assertThat(acting.onStart(assignment("compute-2")))
                .isEqualTo(lacks("The host compute-2 is down or disabled"));
        assertThat(acting.onStart(assignment("compute-4", "compute-3")))
                .isEqualTo(lacks("The host compute-3 does not exist"));
    }

    @Test
    void a_start_fails_on_a_host_of_another_reservation() {
        Assignment owner = assignment("compute-1");
        acting.onStart(owner);

        assertThat(acting.onStart(assignment("compute-1")))
                .isEqualTo(
                        lacks(
                                "The host compute-1 is in another availability zone\n"
                                        + "The host compute-1 is in the aggregate "
                                        + owner.reservation()));
    }

    @Test
    void a_start_is_retryable_while_the_host_is_not_in_the_freepool() {
        assertThat(acting.onStart(assignment("compute-5")))
                .isEqualTo(
                        new Result.Failed(
                                new Fault(
                                        Fault.Kind.RETRYABLE,
                                        "The host compute-5 is not in the freepool")));
    }

    @Test
    void an_end_returns_a_host_that_is_down_to_the_freepool() {
        Assignment assignment = assignment("compute-1");
        acting.onStart(assignment);
        nova.host("compute-1").up = false;

        assertThat(acting.onEnd(assignment)).isEqualTo(DONE);

        assertThat(nova.groupNames()).containsExactly("freepool");
        assertThat(nova.group("freepool").hosts).hasSize(4);
    }

    @Test
    void an_end_succeeds_when_a_host_is_gone() {
        Assignment assignment = assignment("compute-1", "compute-2");
        acting.onStart(assignment);
        nova.forget("compute-1");

        assertThat(acting.onEnd(assignment)).isEqualTo(DONE);

        assertThat(nova.groupNames()).containsExactly("freepool");
        assertThat(nova.group("freepool").hosts)
                .doesNotContain(FakeNova.serviceOf("compute-1"))
                .contains(FakeNova.serviceOf("compute-2"));
    }

    @Test
    void a_start_deletes_servers_only_on_the_assigned_hosts() {
        nova.boot("gone", STRANGER, "compute-1");
        nova.boot("stays", STRANGER, "compute-2");

        Assignment assignment = assignment("compute-1");
        assertThat(acting.onStart(assignment)).isEqualTo(started(assignment));

        assertThat(nova.guests()).containsExactly("stays");
    }

    @Test
    void a_repeated_start_keeps_the_project_servers() {
        Assignment assignment = assignment("compute-1");
        acting.onStart(assignment);
        nova.boot("mine", PROJECT.value(), "compute-1");

        assertThat(acting.onStart(assignment)).isEqualTo(started(assignment));

        assertThat(nova.guests()).containsExactly("mine");
    }

    @Test
    void an_adjustment_keeps_the_servers_on_the_hosts_that_stay() {
        Assignment assignment = assignment("compute-1", "compute-2");
        acting.onStart(assignment);
        nova.boot("stays", PROJECT.value(), "compute-1");
        nova.boot("goes", PROJECT.value(), "compute-2");

        assertThat(
                        acting.onAdjust(
                                again(assignment, "compute-1", "compute-3"),
                                allocations("compute-2")))
                .isInstanceOf(Result.Done.class);

        assertThat(nova.guests()).containsExactly("stays");
        assertThat(own(assignment).hosts)
                .containsExactlyElementsOf(services("compute-1", "compute-3"));
        assertThat(own(assignment).metadata).containsEntry("blazar:owner", PROJECT.value());
    }

    @Test
    void a_host_that_changes_aggregates_is_never_open_to_all_projects() {
        Assignment two = assignment("compute-1", "compute-2");
        Assignment other = again(two, "compute-2", "compute-3");

        acting.onStart(two);
        acting.onAdjust(other, allocations("compute-1"));
        acting.onEnd(other);

        assertThat(nova.exposed()).isEmpty();
        acting.retire(new ResourceId(1), "compute-1");
        assertThat(nova.exposed()).containsExactly(FakeNova.serviceOf("compute-1"));
    }

    @Test
    void a_repeated_adjustment_keeps_project_servers_on_an_added_host() {
        Assignment assignment = assignment("compute-1");
        acting.onStart(assignment);
        Assignment more = again(assignment, "compute-1", "compute-2");
        // It joins, and does not leave the pool.
        proxy.spoil(CloudFaultProxy.Fault.UNAVAILABLE, 1);
        assertRetryable(acting.onAdjust(more, List.of()));
        nova.boot("mine", PROJECT.value(), "compute-2");
        nova.boot("theirs", STRANGER, "compute-2");

        assertThat(acting.onAdjust(more, List.of())).isInstanceOf(Result.Done.class);

        assertThat(nova.guests()).containsExactly("mine");
    }

    @Test
    void an_end_is_retryable_until_all_servers_are_deleted() {
        Assignment assignment = assignment("compute-1");
        acting.onStart(assignment);
        nova.boot("mine", PROJECT.value(), "compute-1");
        FakeNova.Guest stubborn = nova.boot("stubborn", STRANGER, "compute-1");
        stubborn.stubborn = true;

        assertThat(acting(HostIsolation.FILTER, "30s", FakePollingTime.looks(10)).onEnd(assignment))
                .isInstanceOfSatisfying(
                        Result.Failed.class,
                        failed -> {
                            assertThat(failed.fault().kind()).isEqualTo(Fault.Kind.RETRYABLE);
                            assertThat(failed.fault().message()).contains("stubborn");
                            assertThat(failed.fault().forHolder().message())
                                    .endsWith("is still a number of servers: 1")
                                    .doesNotContain("stubborn");
                        });
        assertThat(own(assignment).hosts).hasSize(1);

        stubborn.stubborn = false;
        assertThat(acting.onEnd(assignment)).isEqualTo(DONE);
        assertThat(nova.guests()).isEmpty();
        assertThat(nova.groupNames()).containsExactly("freepool");
    }

    @Test
    void the_fault_message_for_the_holder_omits_the_server_id() {
        Assignment assignment = assignment("compute-1");
        acting.onStart(assignment);
        FakeNova.Guest theirs = nova.boot("theirs", STRANGER, "compute-1");
        theirs.locked = true;

        assertThat(acting.onEnd(assignment))
                .isInstanceOfSatisfying(
                        Result.Failed.class,
                        failed -> {
                            assertThat(failed.fault().message()).contains(theirs.id);
                            assertThat(failed.fault().forHolder().message())
                                    .doesNotContain(theirs.id);
                        });
    }

    @Test
    void an_image_is_made_of_each_server_once() {
        Assignment assignment = snapshotting(assignment("compute-1", "compute-2"));
        acting.onStart(assignment);
        nova.boot("db", PROJECT.value(), "compute-1");
        nova.boot("db", PROJECT.value(), "compute-2");
        nova.boot("broken", PROJECT.value(), "compute-2").status = "ERROR";

        assertThat(acting.beforeEnd(assignment)).isEqualTo(DONE);
        assertThat(acting.beforeEnd(assignment)).isEqualTo(DONE);

        assertThat(nova.images())
                .extracting(image -> image.get("name"))
                .containsExactly("reserved_db", "reserved_db");
    }

    @Test
    void a_busy_server_gets_an_image_by_the_retry_and_does_not_block_others() {
        Assignment assignment = snapshotting(assignment("compute-1"));
        acting.onStart(assignment);
        FakeNova.Guest busy = nova.boot("busy", PROJECT.value(), "compute-1");
        busy.busy = true;
        nova.boot("idle", PROJECT.value(), "compute-1");

        assertRetryable(acting.beforeEnd(assignment));
        busy.busy = false;
        assertThat(acting.beforeEnd(assignment)).isEqualTo(DONE);

        assertThat(nova.images())
                .extracting(image -> image.get("name"))
                .containsExactly("reserved_idle", "reserved_busy");
    }

    @Test
    void a_retry_waits_for_a_slow_image_and_creates_no_second_one() {
        Assignment assignment = snapshotting(assignment("compute-1"));
        acting.onStart(assignment);
        nova.boot("db", PROJECT.value(), "compute-1").slow = true;

        assertRetryable(
                acting(HostIsolation.FILTER, "30s", FakePollingTime.looks(10))
                        .beforeEnd(assignment));
        nova.finishImages();
        assertThat(acting.beforeEnd(assignment)).isEqualTo(DONE);

        assertThat(nova.images()).hasSize(1);
    }

    @Test
    void an_image_is_made_only_on_request() {
        Assignment assignment = assignment("compute-1");
        acting.onStart(assignment);
        nova.boot("db", PROJECT.value(), "compute-1");

        assertThat(acting.beforeEnd(assignment)).isEqualTo(DONE);

        assertThat(nova.images()).isEmpty();
    }

    @Test
    void a_server_on_a_host_without_a_lease_is_a_stray_server() {
        Assignment leased = assignment("compute-1");
        acting.onStart(leased);
        nova.boot("in the lease", PROJECT.value(), "compute-1");
        FakeNova.Guest left = nova.boot("left", PROJECT.value(), "compute-2");
        FakeNova.Guest forced = nova.boot("forced", STRANGER, "compute-3");
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
        ReservationId its = new ReservationId(UUID.randomUUID());
        FakeNova.Guest guest = nova.boot("in a slot", PROJECT.value(), "compute-2");
        guest.extraSpecs.put("aggregate_instance_extra_specs:reservation", its.toString());

        assertThat(squatters())
                .containsExactly(new Squatter(guest.id, "in a slot", "compute-2", PROJECT, its));
        guest.extraSpecs.put("blazar:preemptible", "true");
        assertThat(squatters()).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({"FILTER, true, 0", "FILTER, false, 1", "TENANCY, true, 1"})
    void only_filter_isolation_allows_preemptible_servers_in_the_freepool(
            HostIsolation isolation, String preemptible, int told) {
        acting = acting(isolation, "30s", LONG_WAIT);
        nova.boot("spot", STRANGER, "compute-1").extraSpecs.put("blazar:preemptible", preemptible);

        assertThat(squatters()).hasSize(told);
    }

    private List<Squatter> squatters() {
        return acting.survey() instanceof Survey.Seen seen ? seen.squatters() : List.of();
    }

    @ParameterizedTest
    @CsvSource({
        "UNAVAILABLE, RETRYABLE",
        "DEFECT, RETRYABLE",
        "CONFLICT, RETRYABLE",
        "ANSWER_LOST, RETRYABLE",
        "FORBIDDEN, DENIED"
    })
    void a_cloud_error_determines_the_kind_of_the_fault(
            CloudFaultProxy.Fault fault, Fault.Kind kind) {
        for (int step = 0; step < 5; step++) {
            Assignment assignment = assignment("compute-1");
            proxy.spoil(fault, step);
            assertThat(acting.onStart(assignment))
                    .as("step %d", step)
                    .isInstanceOfSatisfying(
                            Result.Failed.class,
                            failed -> assertThat(failed.fault().kind()).isEqualTo(kind));
            assertThat(acting.onEnd(assignment)).isEqualTo(DONE);
        }
    }

    @Test
    void a_start_reports_an_unavailable_host_before_retryable_failures() {
        nova.host("compute-2").up = false;

        assertThat(acting.onStart(assignment("compute-5", "compute-2", "compute-6")))
                .isEqualTo(lacks("The host compute-2 is down or disabled"));
    }

    @Test
    void the_creation_of_an_existing_aggregate_returns_the_existing_one() {
        try (Cloud cloud = new Cloud(CloudSettings.of(nova.settings()), Clock.systemUTC())) {
            NovaChanges changes = new Nova(cloud).fencedBy(() -> true);

            assertThat(changes.createAggregate("theirs", null))
                    .isEqualTo(changes.createAggregate("theirs", null));
        }
        assertThat(nova.groupNames()).containsExactly("freepool", "theirs");
    }

    @Test
    void a_retry_after_a_lost_response_does_not_create_a_second_aggregate() {
        Acting impatient = acting(HostIsolation.FILTER, "2s", LONG_WAIT);
        Assignment assignment = assignment("compute-1");
        proxy.spoil(CloudFaultProxy.Fault.ANSWER_NEVER, 0);
        assertRetryable(impatient.onStart(assignment));
        proxy.spoil(CloudFaultProxy.Fault.ANSWER_NEVER, 1);
        assertRetryable(impatient.onStart(assignment));

        assertThat(acting.onStart(assignment)).isEqualTo(started(assignment));

        assertThat(nova.requests().stream().filter("POST /os-aggregates"::equals))
                .as("the freepool and the reservation's")
                .hasSize(2);
    }

    @Test
    void a_call_makes_no_changes_after_the_fencing_token_is_stale() {
        AtomicInteger left = new AtomicInteger(2);
        Assignment assignment = fenced(assignment("compute-1"), () -> left.getAndDecrement() > 0);
        long before = changes();

        assertRetryable(acting.onStart(assignment));

        assertThat(changes() - before).isEqualTo(2);
        assertThat(own(assignment).hosts).isEmpty();
    }

    @Test
    void a_start_moves_each_host_with_four_requests() {
        String[] hosts =
                IntStream.rangeClosed(1, 12)
                        .mapToObj(number -> "compute-" + number)
                        .toArray(String[]::new);
        for (int number = 5; number <= 12; number++) {
            acting.enrol(new ResourceId(number), "compute-" + number);
        }
        Assignment assignment = assignment(hosts);
        int before = nova.requests().size();

        assertThat(acting.onStart(assignment)).isEqualTo(started(assignment));

        assertThat(own(assignment).hosts).hasSize(12);
        assertThat(nova.group("freepool").hosts).isEmpty();
        // And four for the reservation: to read, and to create, close and open its aggregate. Two
        // announce the present hosts of that and of the freepool.
        assertThat(nova.requests().size() - before).isEqualTo(12 * 4 + 4 + 2);
        assertThat(acting.onEnd(assignment)).isEqualTo(DONE);
        assertThat(nova.group("freepool").hosts).hasSize(12);
    }

    private long changes() {
        return nova.requests().stream().filter(request -> !request.startsWith("GET")).count();
    }

    private Acting acting(HostIsolation isolation, String callTimeout, PollingWait eviction) {
        Map<String, String> settings = new HashMap<>(nova.settings());
        settings.computeIfPresent("auth-url", (_, url) -> proxy.before(URI.create(url)).toString());
        settings.put("call-timeout", callTimeout);
        ResourcePlugin plugin =
                OpenStackHostsProvider.create(isolation, CloudSettings.of(settings), eviction);
        plugins.add(plugin);
        return plugin.acting();
    }

    private FakeNova.Group own(Assignment assignment) {
        return nova.group(assignment.reservation().toString());
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

    private static List<String> services(String... hosts) {
        return Stream.of(hosts).map(FakeNova::serviceOf).toList();
    }

    private static List<Allocation> allocations(String... hosts) {
        return Stream.of(hosts)
                .map(
                        host ->
                                new Allocation(
                                        new ResourceId(
                                                Long.parseLong(host.replace("compute-", ""))),
                                        host,
                                        Map.of()))
                .toList();
    }

    /** Returns the result of a start, with the id of its aggregate. */
    private Result started(Assignment assignment) {
        return new Result.Done(
                Map.of("aggregate_id", nova.group(assignment.reservation().toString()).id));
    }

    private static Assignment assignment(String... hosts) {
        return assignment(
                new ReservationId(UUID.randomUUID()),
                Map.of("before_end", "default"),
                allocations(hosts),
                () -> true);
    }

    private static Assignment again(Assignment old, String... hosts) {
        return assignment(old.reservation(), old.parameters(), allocations(hosts), old.fence());
    }

    private static Assignment snapshotting(Assignment old) {
        return assignment(
                old.reservation(), Map.of("before_end", "snapshot"), old.resources(), old.fence());
    }

    private static Assignment fenced(Assignment old, Acting.Fence fence) {
        return assignment(old.reservation(), old.parameters(), old.resources(), fence);
    }

    private static Assignment assignment(
            ReservationId reservation,
            Map<String, @Nullable Object> parameters,
            List<Allocation> hosts,
            Acting.Fence fence) {
        return new Assignment(
                new LeaseId(UUID.randomUUID()),
                reservation,
                PROJECT,
                new UserId("user-1"),
                new LeasePeriod(
                        Instant.parse("2030-01-01T00:00:00Z"),
                        Instant.parse("2030-01-02T00:00:00Z")),
                parameters,
                hosts,
                fence);
    }
}
