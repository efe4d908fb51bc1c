package org.leasehold.resource.openstack.network;

import org.junit.jupiter.api.AfterEach;

import java.util.List;
import java.util.Map;

/** The contract on a fake cloud. */
class OpenStackNetworksContractTest extends OpenStackNetworksContract {

    private final FakeNeutronNetworks neutron = new FakeNeutronNetworks();

    @Override
    protected Map<String, String> cloud() {
        return neutron.settings();
    }

    @Override
    List<String> segments() {
        return List.of("vlan/physnet1/1200", "vlan/physnet1/1201", "vxlan/-/70000");
    }

    @AfterEach
    void closeCloud() {
        neutron.close();
    }
}
