package org.leasehold.resource.simulator.network;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.leasehold.resource.Acting.Discovery;
import org.leasehold.resource.network.Segment;
import org.leasehold.resource.simulator.cloud.SimulatedCloudContract;
import org.leasehold.vocabulary.ProjectId;

import java.util.List;
import java.util.Map;

class SimulatedNetworksContractTest extends SimulatedCloudContract {

    private static final String VLAN = "vlan/physnet1/1200";

    SimulatedNetworksContractTest() {
        super(new SimulatedNetworksProvider());
    }

    @Override
    protected List<String> resourceNames() {
        return List.of(VLAN, "vlan/physnet1/1201", "vxlan/-/70000");
    }

    @Override
    protected String unknownName() {
        return "vlan/physnet2/1200";
    }

    @Override
    protected Map<String, @Nullable Object> parameters() {
        return Map.of("network_name", "lab", "network_properties", "", "resource_properties", "");
    }

    @Override
    protected Map<String, @Nullable Object> changes() {
        return Map.of("network_description", "of the lab");
    }

    @Test
    void a_segment_in_use_or_out_of_range_cannot_be_leased() {
        cloud().createNetwork(Segment.fromName(VLAN).orElseThrow(), "theirs", new ProjectId("p9"));
        assertThat(plugin().acting().discover(VLAN))
                .isEqualTo(new Discovery.InUse(VLAN, List.of("the network theirs of project p9")));
        assertThat(plugin().acting().discover("vlan/physnet1/0"))
                .isInstanceOf(Discovery.Unfit.class);
    }
}
