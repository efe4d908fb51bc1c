package org.leasehold.resource.openstack.network;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.lease.Fault;
import org.leasehold.resource.Acting.Assignment;
import org.leasehold.resource.Acting.Result;
import org.leasehold.resource.openstack.network.FakeNeutronNetworks.Thing;

import java.util.List;
import java.util.Map;
import java.util.UUID;

/** The starts and the adjustments of reserved networks. */
class OpenStackNetworksTest extends OpenStackNetworksFixture {

    private static final String VXLAN = "vxlan/-/70000";

    @Test
    void a_start_creates_a_network_for_the_project_on_the_segment() {
        Result started = acting.onStart(assignment(VLAN));

        Thing network = createdNetwork();
        assertThat(started).isEqualTo(new Result.Done(Map.of("network_id", network.id())));
        assertThat(network.values())
                .containsEntry("name", "lab")
                .containsEntry("description", "of the lab")
                .containsEntry("project_id", "p1")
                .containsEntry("provider:network_type", "vlan")
                .containsEntry("provider:physical_network", "physnet1")
                .containsEntry("provider:segmentation_id", 1200)
                .containsEntry("tags", List.of("blazar", MARK));
        assertThat(acting.inspect(RESERVATION))
                .containsExactly("network/" + VLAN + " blazar " + MARK);
    }

    @Test
    void a_vxlan_has_no_physical_network() {
        assertDone(acting.onStart(assignment(VXLAN)));

        assertThat(createdNetwork().values())
                .containsEntry("provider:network_type", "vxlan")
                .containsEntry("provider:physical_network", null)
                .containsEntry("provider:segmentation_id", 70_000);
        assertThat(acting.inspect(RESERVATION))
                .containsExactly("network/" + VXLAN + " blazar " + MARK);
    }

    @Test
    void the_default_description_of_a_network_names_the_reservation() {
        assertDone(acting.onStart(described("")));
        assertThat(createdNetwork().text("description")).isEqualTo(MARK);
    }

    private static Assignment described(String description) {
        return assignment(description, new String[] {VLAN});
    }

    @Test
    void an_adjustment_keeps_name_description_and_tags_set_by_the_user() {
        assertDone(acting.onStart(assignment(VLAN)));
        Thing network = createdNetwork();
        network.put("name", "mine");
        network.put("description", "mine, too");
        network.put("tags", List.of("web", MARK));

        assertDone(acting.onAdjust(assignment(VLAN), List.of()));

        assertThat(network.values())
                .containsEntry("name", "mine")
                .containsEntry("description", "mine, too")
                .containsEntry("tags", List.of("blazar", MARK, "web"));
    }

    @Test
    void a_start_fails_on_a_network_without_a_creation_time() {
        neutron.network("vlan", "physnet1", 1200, "p1").values().remove("created_at");

        assertInsufficient(
                acting.onStart(assignment(VLAN)), "The segment " + VLAN + " is another one's");
    }

    private static void assertInsufficient(Result result, String message) {
        assertThat(fault(result)).isEqualTo(new Fault(Fault.Kind.INSUFFICIENT_RESOURCES, message));
    }

    private static Fault fault(Result result) {
        assertThat(result).isInstanceOf(Result.Failed.class);
        return ((Result.Failed) result).fault();
    }

    @Test
    void a_conflict_about_a_used_segment_is_retryable() {
        neutron.refuseNext(409, "VlanIdInUse");
        assertThat(fault(acting.onStart(assignment(VLAN))))
                .isEqualTo(
                        new Fault(
                                Fault.Kind.RETRYABLE, "Neutron does not give the segment " + VLAN));
        assertDone(acting.onStart(assignment(VLAN)));
    }

    @Test
    void an_exceeded_quota_fails_the_start_with_insufficient_resources() {
        neutron.refuseNext(409, "OverQuota");
        assertInsufficient(
                acting.onStart(assignment(VLAN)),
                "The project p1 has no quota left for the network on " + VLAN);
    }

    @Test
    void an_unknown_physical_network_is_a_permanent_fault() {
        assertThat(fault(acting.onStart(assignment("vlan/nowhere/7"))).kind())
                .isEqualTo(Fault.Kind.PERMANENT);
    }

    @Test
    void a_network_of_another_owner_stays_unchanged() {
        Thing otherProjects = neutron.network("vlan", "physnet1", 1200, "p2");
        neutron.setTime(START.minusSeconds(61));
        Thing fromBefore = neutron.network("vlan", "physnet1", 1201, "p1");
        neutron.setTime(START.plusSeconds(1));
        Thing ofAnother = neutron.network("vlan", "physnet1", 1202, "p1");
        ofAnother.put("tags", List.of("reservation:" + UUID.randomUUID()));

        for (String segment : List.of(VLAN, OTHER, "vlan/physnet1/1202")) {
            assertInsufficient(
                    acting.onStart(assignment(segment)),
                    "The segment " + segment + " is another one's");
        }
        assertDone(acting.onEnd(assignment(VLAN, OTHER, "vlan/physnet1/1202")));

        assertThat(neutron.networks()).containsExactly(otherProjects, fromBefore, ofAnother);
        assertThat(neutron.changes()).isEmpty();
    }
}
