package org.leasehold.resource.openstack.floatingip;

import org.junit.jupiter.api.AfterEach;
import org.leasehold.resource.floatingip.FloatingIp;
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
class RealCloudContract extends OpenStackFloatingIpsContract {

    @Override
    protected Map<String, String> cloud() {
        return realCloud();
    }

    @Override
    String network() {
        return environment("NETWORK");
    }

    @Override
    List<String> addresses() {
        return Arrays.asList(environment("ADDRESSES").split(","));
    }

    /** Each test finds a cloud in which nothing is reserved. */
    @AfterEach
    void tidy() {
        try (Cloud cloud = new Cloud(CloudSettings.of(cloud()), Clock.systemUTC())) {
            Neutron neutron = new Neutron(cloud);
            resourceNames().stream()
                    .flatMap(name -> FloatingIp.named(name).stream())
                    .flatMap(ip -> neutron.at(ip).stream())
                    .filter(ip -> ip.origin().isOfAnyReservation())
                    .forEach(neutron.fencedBy(() -> true)::delete);
        }
    }
}
