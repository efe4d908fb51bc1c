package org.leasehold.resource.openstack.instance;

import org.junit.jupiter.api.AfterEach;
import org.leasehold.resource.openstack.compute.NovaOnPaper;

import java.util.List;
import java.util.Map;

/** The contract on a fake cloud. */
class OnPaperContractTest extends OpenStackInstancesContract {

    private NovaOnPaper nova;

    @Override
    protected Map<String, String> cloud() {
        nova = nova(List.of("compute-1", "compute-2", "compute-3", "compute-11"));
        return nova.settings();
    }

    NovaOnPaper nova(List<String> hosts) {
        return new NovaOnPaper(hosts);
    }

    @AfterEach
    void closeCloud() {
        nova.close();
    }

    @Override
    protected List<String> resourceNames() {
        return List.of("compute-1", "compute-2", "compute-3");
    }
}
