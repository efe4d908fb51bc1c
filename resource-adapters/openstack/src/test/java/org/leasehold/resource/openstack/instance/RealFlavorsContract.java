package org.leasehold.resource.openstack.instance;

import org.jspecify.annotations.Nullable;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.openstack.CloudSettings;
import org.leasehold.resource.openstack.Patience;

import java.util.Map;

/** The contract of the other plugin, on a real cloud, with a flavor that this has. */
class RealFlavorsContract extends RealCloudContract {

    @Override
    ResourcePlugin plugin(CloudSettings settings, Patience patience) {
        return InstancesPlugin.ofFlavors(settings, patience);
    }

    @Override
    protected Map<String, @Nullable Object> parameters() {
        return Map.of("flavor_id", environment("FLAVOR"), "amount", 2, "affinity", "none");
    }
}
