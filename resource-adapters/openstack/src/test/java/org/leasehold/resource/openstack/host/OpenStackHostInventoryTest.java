package org.leasehold.resource.openstack.host;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.inventory.Outage;
import org.leasehold.lease.Fault;
import org.leasehold.resource.Acting.Discovery;
import org.leasehold.resource.InventoryResult;
import org.leasehold.resource.LoadResult;
import org.leasehold.resource.LoadResult.Load;
import org.leasehold.resource.openstack.FakeOpenStack.Said;
import org.leasehold.resource.openstack.compute.FakeNova;

import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** Tests the loads, traits and outages of hosts that the plug-in reports. */
class OpenStackHostInventoryTest extends HostInventoryFixture {

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
                        new LoadResult.Known(
                                Map.of("compute-1", new Load(2, 6), "compute-2", Load.NONE)));
    }

    @Test
    void the_running_load_is_unknown_when_nova_does_not_answer() {
        nova.close();

        assertThat(acting.readLoads(List.of("compute-1"))).isInstanceOf(LoadResult.Unknown.class);
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
        InventoryResult.Known known =
                (InventoryResult.Known)
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

        InventoryResult.Known known = look("compute-5", "compute-6");

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

        InventoryResult.Known known = look("compute-5", "compute-6", "compute-7");

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

    private long askedForTraits() {
        return nova.requests().stream().filter(request -> request.endsWith("/traits")).count();
    }
}
