package org.leasehold.resource.simulator.host;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.inventory.Outage;
import org.leasehold.resource.Acting.Assignment;
import org.leasehold.resource.Acting.Discovery;
import org.leasehold.resource.InventoryResult;
import org.leasehold.resource.LoadResult;
import org.leasehold.resource.LoadResult.Load;
import org.leasehold.resource.simulator.BehaviorRule;
import org.leasehold.resource.simulator.InjectedFault;
import org.leasehold.resource.simulator.SimulatedHost;
import org.leasehold.resource.simulator.cloud.CloudReport;

import java.util.List;
import java.util.Map;

/** The hosts of the cloud, and what it reports of them. */
class SimulatedInventoryTest extends SimulatedHostsFixture {

    @Test
    void a_host_is_found_by_the_full_name_and_by_the_number() {
        Discovery byName = acting().discover("compute-2");

        assertThat(byName).isInstanceOf(Discovery.Found.class);
        assertThat(acting().discover("2")).isEqualTo(byName);
        assertThat(acting().discover("compute")).isEqualTo(new Discovery.NotFound());
        Discovery.Found found = (Discovery.Found) byName;
        assertThat(found.zone()).isEqualTo("az2");
        assertThat(found.attributes())
                .containsEntry("hypervisor_hostname", "compute-2")
                .containsEntry("service_name", "compute-2")
                .containsEntry("hypervisor_type", "QEMU")
                .containsEntry("hypervisor_version", 8_002_002)
                .containsEntry("vcpus", 16)
                .containsEntry("memory_mb", 65_536)
                .containsEntry("local_gb", 1_000)
                .containsKey("cpu_info");
    }

    @Test
    void every_fourth_host_is_a_large_one() {
        assertThat(cloud.hosts())
                .filteredOn(host -> host.memoryMb() == 262_144)
                .extracting(SimulatedHost::hypervisorHostname)
                .containsExactly("compute-4", "compute-8");
    }

    @Test
    void the_running_load_is_reported_for_busy_and_idle_hosts() {
        bootPreemptible("web", "compute-1");
        bootPreemptible("mail", "compute-1");
        bootPreemptible("elsewhere", "compute-3");

        assertThat(acting().readLoads(List.of("compute-1", "compute-2")))
                .isEqualTo(
                        new LoadResult.Known(
                                Map.of(
                                        "compute-1",
                                        new Load(2, 2 * SimulatedHosts.VCPUS_PER_SERVER),
                                        "compute-2",
                                        Load.NONE)));
    }

    @Test
    void a_host_with_servers_on_it_is_in_use() {
        bootPreemptible("web", "compute-1");

        assertThat(acting().discover("compute-1"))
                .isEqualTo(new Discovery.InUse("compute-1", List.of("web")));
    }

    @Test
    void a_host_is_unknown_while_the_cloud_does_not_answer() {
        cloud.addBehaviorRule(BehaviorRule.failing("discover", InjectedFault.UNAVAILABLE));

        assertThat(acting().discover("compute-1")).isInstanceOf(Discovery.Unknown.class);
    }

    @Test
    void an_inventory_reports_down_hosts_and_changed_attributes() {
        cloud.setHostUp("compute-1", false);
        cloud.setMemory("compute-2", 1_024);

        InventoryResult.Known known =
                (InventoryResult.Known)
                        acting().inventory(List.of("compute-1", "compute-2", "compute-99"));

        assertThat(known.outages())
                .isEqualTo(
                        Map.of(
                                "compute-1",
                                Outage.down("it is down"),
                                "compute-99",
                                Outage.down("it does not exist")));
        assertThat(known.found()).containsOnlyKeys("compute-2");
        assertThat(known.found().get("compute-2").attributes()).containsEntry("memory_mb", 1_024);
        cloud.addBehaviorRule(BehaviorRule.failing("inventory", InjectedFault.UNAVAILABLE));
        assertThat(acting().inventory(List.of("compute-1")))
                .isInstanceOf(InventoryResult.Unknown.class);
    }

    @Test
    void the_report_lists_reservations_servers_and_operations() {
        Assignment assignment = assignment("compute-1");
        acting().onStart(assignment);
        boot("mine", assignment);

        assertThat(CloudReport.of(cloud))
                .contains(
                        "\"blazar_" + assignment.reservation() + "\"",
                        "\"name\" : \"mine\"",
                        "\"operation\" : \"add_host\"");
    }
}
