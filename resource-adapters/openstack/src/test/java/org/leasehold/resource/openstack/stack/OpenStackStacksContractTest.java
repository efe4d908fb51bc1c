package org.leasehold.resource.openstack.stack;

import org.junit.jupiter.api.AfterEach;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.openstack.CloudSettings;
import org.leasehold.resource.openstack.FakePollingTime;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.TrustId;

import java.util.List;
import java.util.Map;

/** The contract on a fake cloud. */
class OpenStackStacksContractTest extends OpenStackStacksContract {

    private final FakeHeat heat = new FakeHeat();

    @Override
    protected Map<String, String> cloud() {
        return heat.settings();
    }

    @Override
    protected ResourcePlugin plugin(Map<String, String> settings) {
        return OpenStackStacksProvider.create(
                CloudSettings.of(settings), FakePollingTime.looks(5_000));
    }

    @Override
    protected List<String> resourceNames() {
        return List.of(
                FakeHeat.NETWORK,
                "4e9f6a1d-3b27-4c8e-a1f5-92d8c06b7e03",
                "7c1d0e5b-4f38-4a9d-b2e6-83c9d17f8a05");
    }

    @Override
    protected ProjectId project() {
        return new ProjectId("p1");
    }

    @Override
    protected TrustId trust() {
        return new TrustId(FakeHeat.TRUST);
    }

    @Override
    protected String token() {
        return FakeHeat.TOKEN;
    }

    @AfterEach
    void closeCloud() {
        heat.close();
    }
}
