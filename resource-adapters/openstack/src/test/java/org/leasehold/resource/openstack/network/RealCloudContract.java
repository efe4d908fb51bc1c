package org.leasehold.resource.openstack.network;

import static org.leasehold.resource.openstack.RealCloudFixture.environment;
import static org.leasehold.resource.openstack.RealCloudFixture.realCloud;

import org.junit.jupiter.api.AfterEach;
import org.leasehold.resource.network.Segment;
import org.leasehold.resource.openstack.Cloud;
import org.leasehold.resource.openstack.RealCloudFixture;
import org.leasehold.resource.openstack.neutron.Neutron;

import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * The contract on a real cloud. Its name is no test's, so that a build without a cloud does not run
 * it. It fails without its variables in the environment.
 */
class RealCloudContract extends OpenStackNetworksContract implements RealCloudFixture {

    @Override
    protected Map<String, String> cloud() {
        return realCloud();
    }

    @Override
    List<String> segments() {
        return Arrays.asList(environment("SEGMENTS").split(","));
    }

    /** Removes all reservations, for the next test. */
    @AfterEach
    void tidy() {
        byHand(this::tidy);
    }

    private void tidy(Cloud cloud) {
        Neutron neutron = new Neutron(cloud);
        resourceNames().stream()
                .flatMap(name -> Segment.fromName(name).stream())
                .flatMap(segment -> neutron.findAt(segment).stream())
                .filter(network -> network.origin().isOfAnyReservation())
                .forEach(network -> neutron.fencedBy(() -> true).delete(network));
    }
}
