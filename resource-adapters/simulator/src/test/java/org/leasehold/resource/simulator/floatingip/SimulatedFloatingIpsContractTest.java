package org.leasehold.resource.simulator.floatingip;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.leasehold.resource.Acting.Discovery;
import org.leasehold.resource.floatingip.FloatingIp;
import org.leasehold.resource.simulator.cloud.SimulatedCloudContract;
import org.leasehold.vocabulary.ProjectId;

import java.util.List;
import java.util.Map;

class SimulatedFloatingIpsContractTest extends SimulatedCloudContract {

    private static final String NETWORK = "8d8bbbf2-2e0c-4b1c-9f4a-7d2a5f2f2f01";

    SimulatedFloatingIpsContractTest() {
        super(new SimulatedFloatingIpsProvider());
    }

    @Override
    protected List<String> resourceNames() {
        return List.of(
                NETWORK + "/203.0.113.200", NETWORK + "/203.0.113.201", NETWORK + "/203.0.113.9");
    }

    @Override
    protected String unknownName() {
        return NETWORK + "/192.0.2.1";
    }

    @Override
    protected Map<String, @Nullable Object> parameters() {
        return Map.of("network_id", NETWORK, "amount", 2);
    }

    @Override
    protected Map<String, @Nullable Object> changes() {
        return Map.of("amount", 3);
    }

    @Test
    void only_a_free_address_outside_the_pool_can_be_leased() {
        assertThat(plugin().acting().discover("nowhere/203.0.113.200"))
                .isEqualTo(new Discovery.Unfit("Failed to find network nowhere"));
        assertThat(plugin().acting().discover(NETWORK + "/203.0.113.50"))
                .isInstanceOf(Discovery.Unfit.class);
        assertThat(plugin().acting().discover("203.0.113.200")).isEqualTo(new Discovery.NotFound());
        cloud().createFloatingIp(new FloatingIp(NETWORK, "203.0.113.200"), new ProjectId("p9"));
        assertThat(plugin().acting().discover(NETWORK + "/203.0.113.200"))
                .isEqualTo(new Discovery.InUse(NETWORK + "/203.0.113.200", List.of("project p9")));
    }
}
