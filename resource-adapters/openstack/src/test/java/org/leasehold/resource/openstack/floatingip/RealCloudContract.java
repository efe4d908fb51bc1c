package org.leasehold.resource.openstack.floatingip;

import static org.leasehold.resource.openstack.RealCloudFixture.environment;
import static org.leasehold.resource.openstack.RealCloudFixture.realCloud;

import org.junit.jupiter.api.AfterEach;
import org.leasehold.resource.floatingip.FloatingIp;
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
class RealCloudContract extends OpenStackFloatingIpsContract implements RealCloudFixture {

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

    /** Removes all reservations, for the next test. */
    @AfterEach
    void tidy() {
        byHand(this::tidy);
    }

    private void tidy(Cloud cloud) {
        Neutron neutron = new Neutron(cloud);
        resourceNames().stream()
                .flatMap(name -> FloatingIp.fromName(name).stream())
                .flatMap(ip -> neutron.findAt(ip).stream())
                .filter(ip -> ip.origin().isOfAnyReservation())
                .forEach(neutron.fencedBy(() -> true)::delete);
    }
}
