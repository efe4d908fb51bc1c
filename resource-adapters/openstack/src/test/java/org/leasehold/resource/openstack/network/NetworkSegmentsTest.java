package org.leasehold.resource.openstack.network;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.resource.Acting.Discovery;
import org.leasehold.resource.openstack.network.FakeNeutronNetworks.Thing;

import java.util.List;
import java.util.Map;

/** The enrolment of network segments. */
class NetworkSegmentsTest extends OpenStackNetworksFixture {

    @Test
    void a_segment_without_a_network_can_be_leased() {
        assertThat(acting.discover(VLAN))
                .isEqualTo(
                        new Discovery.Found(
                                VLAN,
                                null,
                                null,
                                Map.of(
                                        "network_type",
                                        "vlan",
                                        "physical_network",
                                        "physnet1",
                                        "segment_id",
                                        1200)));
    }

    @Test
    void a_segment_in_use_can_be_enrolled_only_if_a_lease_uses_it() {
        Thing theirs = neutron.network("vlan", "physnet1", 1200, "p2");
        assertDone(acting.onStart(assignment(OTHER)));

        assertThat(acting.discover(VLAN))
                .isEqualTo(
                        new Discovery.InUse(
                                VLAN,
                                List.of(
                                        "the network foreign (%s) of project p2"
                                                .formatted(theirs.id()))));
        assertThat(acting.discover(OTHER)).isInstanceOf(Discovery.Found.class);
    }

    @Test
    void an_invalid_segment_name_is_unfit_or_not_found() {
        assertThat(acting.discover("vlan/physnet1/4095")).isInstanceOf(Discovery.Unfit.class);
        assertThat(acting.discover("physnet1")).isEqualTo(new Discovery.NotFound());
    }
}
