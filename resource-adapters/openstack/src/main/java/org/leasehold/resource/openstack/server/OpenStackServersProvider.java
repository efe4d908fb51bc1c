package org.leasehold.resource.openstack.server;

import org.leasehold.inventory.ResourceKind;
import org.leasehold.resource.Acting;
import org.leasehold.resource.CloudCheck;
import org.leasehold.resource.Completing;
import org.leasehold.resource.Petitioning;
import org.leasehold.resource.Planning;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.ResourcePluginProvider;
import org.leasehold.resource.Right;
import org.leasehold.resource.openstack.Cloud;
import org.leasehold.resource.openstack.CloudSettings;
import org.leasehold.resource.openstack.Patience;
import org.leasehold.resource.openstack.Rights;
import org.leasehold.resource.openstack.SettingsCheck;
import org.leasehold.resource.openstack.compute.Nova;
import org.leasehold.resource.openstack.compute.NovaRights;
import org.leasehold.resource.server.ServerCompleting;
import org.leasehold.resource.server.ServerPlanning;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The provider of the plug-in for {@code virtual:server} on a real Nova. Settings: those of {@link
 * CloudSettings}. It sends no request to the cloud before the first action.
 */
public final class OpenStackServersProvider implements ResourcePluginProvider {

    /**
     * A timeout for quick actions of Nova. Slow ones are retried with backoff: a plug-in's calls
     * are few, and none may block for minutes.
     */
    private static final Patience PATIENCE =
            new Patience(Duration.ofSeconds(3), Duration.ofMillis(500));

    @Override
    public String name() {
        return "openstack-servers";
    }

    @Override
    public ResourcePlugin create(Map<String, String> settings) {
        return create(CloudSettings.of(settings), PATIENCE);
    }

    static ResourcePlugin create(CloudSettings settings, Patience patience) {
        Cloud cloud = new Cloud(settings, Clock.systemUTC());
        Nova nova = new Nova(cloud);
        return new Plugin(
                cloud,
                new OpenStackServers(nova, patience, settings.region()),
                Optional.of(new ServerCompleting(new NovaServers(nova))),
                Optional.of(new WrittenServers(nova)));
    }

    private record Plugin(
            Cloud cloud,
            Acting acting,
            Optional<Completing> completing,
            Optional<Petitioning> petitioning)
            implements ResourcePlugin {

        private static final Planning PLANNING = new ServerPlanning();

        @Override
        public ResourceKind kind() {
            return ResourceKind.SERVER;
        }

        @Override
        public Planning planning() {
            return PLANNING;
        }

        @Override
        public CloudCheck check() {
            return SettingsCheck.of(cloud, "compute");
        }

        @Override
        public List<Right> rights() {
            Rights rights = new Rights(cloud);
            new NovaRights(cloud, rights).servers().zones().images();
            return rights.all();
        }

        @Override
        public void close() {
            cloud.close();
        }
    }
}
