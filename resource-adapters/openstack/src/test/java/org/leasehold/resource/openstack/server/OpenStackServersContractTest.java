package org.leasehold.resource.openstack.server;

import org.junit.jupiter.api.AfterEach;
import org.leasehold.lease.ProjectId;
import org.leasehold.lease.TrustId;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.openstack.CloudSettings;
import org.leasehold.resource.openstack.TimeOfPauses;

import java.util.List;
import java.util.Map;

/** The contract on a cloud of the test's own. */
class OpenStackServersContractTest extends OpenStackServersContract {

    private final ServersOnPaper nova = new ServersOnPaper();

    @Override
    protected Map<String, String> cloud() {
        return nova.settings();
    }

    @Override
    protected ResourcePlugin plugin(Map<String, String> settings) {
        return OpenStackServersProvider.create(
                CloudSettings.of(settings), TimeOfPauses.looks(5_000));
    }

    @Override
    String server() {
        return nova.server("p1", "SHELVED_OFFLOADED").id;
    }

    @Override
    protected List<String> resourceNames() {
        return List.of("nova", "east", "west");
    }

    @Override
    protected ProjectId project() {
        return new ProjectId("p1");
    }

    @Override
    protected TrustId trust() {
        return new TrustId(ServersOnPaper.TRUST);
    }

    @AfterEach
    void closeCloud() {
        nova.close();
    }
}
