package org.leasehold.resource.openstack.instance;

import static org.leasehold.resource.openstack.RealCloudFixture.environment;

import org.jspecify.annotations.Nullable;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.openstack.CloudSettings;
import org.leasehold.resource.openstack.PollingWait;

import java.util.Map;

/** The contract of the plug-in for flavors, on a real cloud, with one of its flavors. */
class RealFlavorsContract extends RealCloudContract {

    @Override
    ResourcePlugin plugin(CloudSettings settings, PollingWait patience) {
        return OpenStackInstancesPlugin.ofFlavors(settings, patience);
    }

    @Override
    protected Map<String, @Nullable Object> parameters() {
        return Map.of("flavor_id", environment("FLAVOR"), "amount", 2, "affinity", "none");
    }

    /** Returns false: the plug-in for sizes has the same actions. */
    @Override
    protected boolean hasOwnActions() {
        return false;
    }
}
