package org.leasehold.resource.openstack.stack;

import static org.leasehold.resource.openstack.RealCloudFixture.environment;
import static org.leasehold.resource.openstack.RealCloudFixture.realCloud;

import org.junit.jupiter.api.AfterEach;
import org.leasehold.resource.openstack.Cloud;
import org.leasehold.resource.openstack.RealCloudFixture;
import org.leasehold.resource.openstack.heat.Heat;
import org.leasehold.resource.openstack.heat.HeatChanges;
import org.leasehold.resource.stack.OtherStackHolders;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.TrustId;

import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * The contract on a real cloud. Its name is no test's, so that a build without a cloud does not run
 * it. It fails without its variables in the environment.
 */
class RealCloudContract extends OpenStackStacksContract implements RealCloudFixture {

    @Override
    protected Map<String, String> cloud() {
        return realCloud();
    }

    /** Returns three external networks. */
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

    /** Removes all reservations, for the next test. */
    @AfterEach
    void tidy() {
        byHand(this::tidy);
    }

    private void tidy(Cloud cloud) {
        Heat heat = new Heat(cloud);
        HeatChanges changes = heat.fencedBy(() -> true);
        heat.stacks().stream()
                .filter(stack -> OtherStackHolders.reservation(stack.name()).isPresent())
                .filter(stack -> stack.project().equals(project().value()))
                .forEach(changes::delete);
    }
}
