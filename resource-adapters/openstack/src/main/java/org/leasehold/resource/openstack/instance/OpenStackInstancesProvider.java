package org.leasehold.resource.openstack.instance;

import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.ResourcePluginProvider;
import org.leasehold.resource.openstack.CloudSettings;

import java.util.Map;

/**
 * The provider of the plug-in for {@code virtual:instance} on a real Nova and Placement. Its
 * settings are those of {@link CloudSettings}.
 */
public final class OpenStackInstancesProvider implements ResourcePluginProvider {

    @Override
    public String name() {
        return "openstack-instances";
    }

    @Override
    public ResourcePlugin create(Map<String, String> settings) {
        return OpenStackInstancesPlugin.ofSizes(
                CloudSettings.of(settings), OpenStackInstancesPlugin.DEFAULT_POLLING_WAIT);
    }
}
