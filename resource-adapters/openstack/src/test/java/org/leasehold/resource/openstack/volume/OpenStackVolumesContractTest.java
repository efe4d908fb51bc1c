package org.leasehold.resource.openstack.volume;

import org.junit.jupiter.api.AfterEach;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.openstack.CloudSettings;
import org.leasehold.resource.openstack.FakePollingTime;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.TrustId;

import java.util.List;
import java.util.Map;

/** The contract on a fake cloud. */
class OpenStackVolumesContractTest extends OpenStackVolumesContract {

    private final FakeCinder cinder = new FakeCinder();

    @Override
    protected Map<String, String> cloud() {
        return cinder.settings();
    }

    @Override
    protected ResourcePlugin plugin(Map<String, String> settings) {
        return OpenStackVolumesProvider.create(
                CloudSettings.of(settings), FakePollingTime.looks(5_000));
    }

    @Override
    List<String> types() {
        return List.of("gold", "silver", "bronze");
    }

    @Override
    protected ProjectId project() {
        return new ProjectId("p1");
    }

    @Override
    protected TrustId trust() {
        return new TrustId(FakeCinder.TRUST);
    }

    @AfterEach
    void closeCloud() {
        cinder.close();
    }
}
