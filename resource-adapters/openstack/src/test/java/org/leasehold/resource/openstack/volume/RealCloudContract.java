package org.leasehold.resource.openstack.volume;

import org.junit.jupiter.api.AfterEach;
import org.leasehold.lease.ProjectId;
import org.leasehold.lease.ReservationId;
import org.leasehold.lease.TrustId;
import org.leasehold.resource.openstack.Cloud;
import org.leasehold.resource.openstack.CloudSettings;
import org.leasehold.resource.openstack.cinder.Cinder;
import org.leasehold.resource.openstack.cinder.CinderChanges;

import java.time.Clock;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * The contract on a real cloud. It is no test by its name, so that a build without a cloud does not
 * run it; without what it needs from the environment it fails.
 */
class RealCloudContract extends OpenStackVolumesContract {

    @Override
    protected Map<String, String> cloud() {
        return realCloud();
    }

    @Override
    List<String> types() {
        return Arrays.asList(environment("VOLUME_TYPES").split(","));
    }

    @Override
    protected ProjectId project() {
        return new ProjectId(environment("TRUSTING_PROJECT"));
    }

    @Override
    protected TrustId trust() {
        return new TrustId(environment("TRUST"));
    }

    /** Each test finds a cloud in which nothing is reserved. */
    @AfterEach
    void tidy() {
        try (Cloud cloud = new Cloud(CloudSettings.of(cloud()), Clock.systemUTC())) {
            Cinder cinder = new Cinder(cloud);
            CinderChanges changes = cinder.fencedBy(() -> true);
            cinder.volumes().stream()
                    .filter(volume -> ReservationId.find(volume.mark()).isPresent())
                    .filter(volume -> volume.project().equals(project().value()))
                    .filter(volume -> !volume.isBusy())
                    .forEach(changes::delete);
        }
    }
}
