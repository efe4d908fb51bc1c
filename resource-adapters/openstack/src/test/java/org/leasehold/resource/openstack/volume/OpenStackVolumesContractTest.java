package org.leasehold.resource.openstack.volume;

import org.junit.jupiter.api.AfterEach;
import org.leasehold.lease.ProjectId;
import org.leasehold.lease.TrustId;

import java.util.List;
import java.util.Map;

/** The contract on a cloud of the test's own. */
class OpenStackVolumesContractTest extends OpenStackVolumesContract {

    private final VolumesOnPaper cinder = new VolumesOnPaper();

    @Override
    protected Map<String, String> cloud() {
        return cinder.settings();
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
        return new TrustId(VolumesOnPaper.TRUST);
    }

    @AfterEach
    void closeCloud() {
        cinder.close();
    }
}
