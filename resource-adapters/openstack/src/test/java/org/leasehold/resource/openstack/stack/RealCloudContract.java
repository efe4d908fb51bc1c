package org.leasehold.resource.openstack.stack;

import org.junit.jupiter.api.AfterEach;
import org.leasehold.lease.ProjectId;
import org.leasehold.lease.TrustId;
import org.leasehold.resource.openstack.Cloud;
import org.leasehold.resource.openstack.CloudSettings;
import org.leasehold.resource.openstack.heat.Heat;
import org.leasehold.resource.openstack.heat.HeatChanges;
import org.leasehold.resource.stack.OtherHolders;

import java.time.Clock;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * The contract on a real cloud. It is no test by its name, so that a build without a cloud does not
 * run it; without what it needs from the environment it fails.
 */
class RealCloudContract extends OpenStackStacksContract {

    @Override
    protected Map<String, String> cloud() {
        return realCloud();
    }

    /** Three networks outside. */
    @Override
    protected List<String> resourceNames() {
        return Arrays.asList(environment("POOLS").split(","));
    }

    @Override
    protected ProjectId project() {
        return new ProjectId(environment("TRUSTING_PROJECT"));
    }

    @Override
    protected TrustId trust() {
        return new TrustId(environment("TRUST"));
    }

    @Override
    protected String token() {
        return environment("TOKEN");
    }

    /** Each test finds a cloud in which nothing is reserved. */
    @AfterEach
    void tidy() {
        try (Cloud cloud = new Cloud(CloudSettings.of(cloud()), Clock.systemUTC())) {
            Heat heat = new Heat(cloud);
            HeatChanges changes = heat.fencedBy(() -> true);
            heat.stacks().stream()
                    .filter(stack -> OtherHolders.reservation(stack.name()).isPresent())
                    .filter(stack -> stack.project().equals(project().value()))
                    .forEach(changes::delete);
        }
    }
}
