package org.leasehold.resource.openstack.server;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.resource.Acting;
import org.leasehold.resource.CloudCheck;
import org.leasehold.resource.DefaultLeaseSource;
import org.leasehold.resource.LeaseTagSource;
import org.leasehold.resource.Planning;
import org.leasehold.resource.RequestCompleter;
import org.leasehold.resource.RequiredRight;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.ResourcePluginProvider;
import org.leasehold.resource.openstack.Cloud;
import org.leasehold.resource.openstack.CloudSettings;
import org.leasehold.resource.openstack.PollingWait;
import org.leasehold.resource.openstack.RequiredRights;
import org.leasehold.resource.openstack.SettingsCheck;
import org.leasehold.resource.openstack.compute.Nova;
import org.leasehold.resource.openstack.compute.NovaChanges;
import org.leasehold.resource.openstack.compute.NovaNotificationListener;
import org.leasehold.resource.openstack.compute.NovaRights;
import org.leasehold.resource.server.ServerPlanning;
import org.leasehold.resource.server.ServerRequestCompleter;

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
    private static final PollingWait DEFAULT_POLLING_WAIT =
            new PollingWait(Duration.ofSeconds(3), Duration.ofMillis(500));

    @Override
    public String name() {
        return "openstack-servers";
    }

    @Override
    public ResourcePlugin create(Map<String, String> settings) {
        return create(CloudSettings.of(settings), DEFAULT_POLLING_WAIT);
    }

    static ResourcePlugin create(CloudSettings settings, PollingWait patience) {
        Cloud cloud = new Cloud(settings, Clock.systemUTC());
        Nova nova = new Nova(cloud);
        @Nullable NovaNotificationListener notifications = NovaNotificationListener.of(settings);
        return new Plugin(
                cloud,
                new OpenStackServers(nova, patience, settings.region()),
                Optional.of(new ServerRequestCompleter(new NovaServers(nova))),
                Optional.of(new ServerLeaseTags(nova, notifications)),
                Optional.of(new ServerDefaultLeases(nova, notifications)));
    }

    private record Plugin(
            Cloud cloud,
            Acting acting,
            Optional<RequestCompleter> requestCompleter,
            Optional<LeaseTagSource> leaseTagSource,
            Optional<DefaultLeaseSource> defaultLeaseSource)
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
            return new SettingsCheck(cloud)
                    .require("compute", NovaChanges.UNSHELVE_TO_ZONE_MICROVERSION)
                    .run();
        }

        @Override
        public List<RequiredRight> rights() {
            RequiredRights rights = new RequiredRights(cloud);
            new NovaRights(cloud, rights).servers().zones().images();
            return rights.all();
        }

        @Override
        public void close() {
            cloud.close();
        }
    }
}
