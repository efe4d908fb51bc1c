package org.leasehold.resource.openstack.network;

import org.junit.jupiter.api.AfterEach;
import org.leasehold.resource.network.Segment;
import org.leasehold.resource.openstack.Cloud;
import org.leasehold.resource.openstack.CloudSettings;
import org.leasehold.resource.openstack.neutron.Neutron;

import java.time.Clock;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * The contract on a real cloud. It is no test by its name, so that a build without a cloud does not
 * run it; without what it needs from the environment it fails.
 */
class RealCloudContract extends OpenStackNetworksContract {

    @Override
    protected Map<String, String> cloud() {
        return realCloud();
    }

    @Override
    List<String> segments() {
        return Arrays.asList(environment("SEGMENTS").split(","));
    }

    /** Each test finds a cloud in which nothing is reserved. */
    @AfterEach
    void tidy() {
        try (Cloud cloud = new Cloud(CloudSettings.of(cloud()), Clock.systemUTC())) {
            Neutron neutron = new Neutron(cloud);
            resourceNames().stream()
                    .flatMap(name -> Segment.named(name).stream())
                    .flatMap(segment -> neutron.at(segment).stream())
                    .filter(network -> network.origin().isOfAnyReservation())
                    .forEach(network -> neutron.fencedBy(() -> true).delete(network));
        }
    }
}
