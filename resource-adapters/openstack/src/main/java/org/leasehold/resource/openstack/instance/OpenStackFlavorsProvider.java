package org.leasehold.resource.openstack.instance;

import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.ResourcePluginProvider;
import org.leasehold.resource.openstack.CloudSettings;

import java.util.Map;

/**
 * The provider of the plug-in for {@code flavor:instance} on a real Nova and Placement. Its
 * settings are those of {@link CloudSettings}.
 */
public final class OpenStackFlavorsProvider implements ResourcePluginProvider {

    @Override
    public String name() {
        return "openstack-flavors";
    }

    @Override
    public ResourcePlugin create(Map<String, String> settings) {
        return OpenStackInstancesPlugin.ofFlavors(
                CloudSettings.of(settings), OpenStackInstancesPlugin.DEFAULT_POLLING_WAIT);
    }
}
