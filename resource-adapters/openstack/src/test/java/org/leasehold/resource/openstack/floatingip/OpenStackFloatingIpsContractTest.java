package org.leasehold.resource.openstack.floatingip;

import org.junit.jupiter.api.AfterEach;
import org.leasehold.resource.openstack.neutron.FakeNeutron;

import java.util.List;
import java.util.Map;

/** The contract on a fake cloud. */
class OpenStackFloatingIpsContractTest extends OpenStackFloatingIpsContract {

    private final FakeNeutron neutron = new FakeNeutron();

    @Override
    protected Map<String, String> cloud() {
        return neutron.settings();
    }

    @Override
    String network() {
        return FakeNeutron.PUBLIC;
    }

    @Override
    List<String> addresses() {
        return List.of("172.24.4.200", "172.24.4.201", "172.24.4.202");
    }

    @AfterEach
    void closeCloud() {
        neutron.close();
    }
}
