package org.leasehold.resource.openstack.host;

import org.junit.jupiter.api.AfterEach;
import org.leasehold.resource.openstack.compute.NovaOnPaper;

import java.util.List;
import java.util.Map;

/** The contract on a fake cloud. */
abstract class OnPaperContract extends OpenStackHostsContract {

    private NovaOnPaper nova;

    @Override
    protected Map<String, String> cloud() {
        nova = new NovaOnPaper(List.of("compute-1", "compute-2", "compute-3", "compute-11"));
        return nova.settings();
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
