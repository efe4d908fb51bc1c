package org.leasehold.resource.openstack.instance;

import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.ResourcePluginProvider;
import org.leasehold.resource.openstack.CloudSettings;

import java.util.Map;

/**
 * Makes the plugin for {@code flavor:instance} that works on a real Nova and Placement. Its
 * settings are those of {@link CloudSettings}.
 */
public final class OpenStackFlavorsProvider implements ResourcePluginProvider {

    @Override
    public String name() {
        return "openstack-flavors";
    }

    @Override
    public ResourcePlugin create(Map<String, String> settings) {
        return InstancesPlugin.ofFlavors(CloudSettings.of(settings), InstancesPlugin.PATIENCE);
    }
}
