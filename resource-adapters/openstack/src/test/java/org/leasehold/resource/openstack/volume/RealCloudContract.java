package org.leasehold.resource.openstack.volume;

import static org.leasehold.resource.openstack.RealCloudFixture.environment;
import static org.leasehold.resource.openstack.RealCloudFixture.realCloud;

import org.junit.jupiter.api.AfterEach;
import org.leasehold.resource.openstack.Cloud;
import org.leasehold.resource.openstack.RealCloudFixture;
import org.leasehold.resource.openstack.cinder.Cinder;
import org.leasehold.resource.openstack.cinder.CinderChanges;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.TrustId;

import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * The contract on a real cloud. Its name is no test's, so that a build without a cloud does not run
 * it. It fails without its variables in the environment.
 */
class RealCloudContract extends OpenStackVolumesContract implements RealCloudFixture {

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

    /** Removes all reservations, for the next test. */
    @AfterEach
    void tidy() {
        byHand(this::tidy);
    }

    private void tidy(Cloud cloud) {
        Cinder cinder = new Cinder(cloud);
        CinderChanges changes = cinder.fencedBy(() -> true);
        cinder.volumes().stream()
                .filter(volume -> ReservationId.find(volume.mark()).isPresent())
                .filter(volume -> volume.project().equals(project().value()))
                .filter(volume -> !volume.isBusy())
                .forEach(changes::delete);
    }
}
