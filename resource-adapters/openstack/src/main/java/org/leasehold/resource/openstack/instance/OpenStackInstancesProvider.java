package org.leasehold.resource.openstack.instance;

import org.leasehold.inventory.ResourceKind;
import org.leasehold.resource.Acting;
import org.leasehold.resource.Planning;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.ResourcePluginProvider;
import org.leasehold.resource.instance.InstancePlanning;
import org.leasehold.resource.openstack.Cloud;
import org.leasehold.resource.openstack.CloudSettings;
import org.leasehold.resource.openstack.Patience;
import org.leasehold.resource.openstack.SideBySide;

import java.time.Clock;
import java.time.Duration;
import java.util.Map;

/**
 * Makes the plugin for {@code virtual:instance} that works on a real Nova and Placement. Its
 * settings are those of {@link CloudSettings}. Nothing is asked of the cloud before there is
 * something to do: it may be away when the engine starts.
 */
public final class OpenStackInstancesProvider implements ResourcePluginProvider {

    /** Less than a call of a plugin may take by default. */
    private static final Patience PATIENCE =
            new Patience(Duration.ofSeconds(60), Duration.ofMillis(500));

    @Override
    public String name() {
        return "openstack-instances";
    }

    @Override
    public ResourcePlugin create(Map<String, String> settings) {
        return create(CloudSettings.of(settings), PATIENCE);
    }

    static ResourcePlugin create(CloudSettings settings, Patience patience) {
        Cloud cloud = new Cloud(settings, Clock.systemUTC());
        return new Instances(
                cloud,
                new OpenStackInstances(cloud, patience, new SideBySide(settings.mostCalls())));
    }

    private record Instances(Cloud cloud, Acting acting) implements ResourcePlugin {

        private static final Planning PLANNING = new InstancePlanning();

        @Override
        public ResourceKind kind() {
            return ResourceKind.VIRTUAL_INSTANCE;
        }

        @Override
        public Planning planning() {
            return PLANNING;
        }

        @Override
        public void close() {
            cloud.close();
        }
    }
}
