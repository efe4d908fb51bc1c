package org.leasehold.resource.openstack.volume;

import org.leasehold.inventory.ResourceKind;
import org.leasehold.resource.Acting;
import org.leasehold.resource.CloudCheck;
import org.leasehold.resource.LeaseTagSource;
import org.leasehold.resource.Planning;
import org.leasehold.resource.RequiredRight;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.ResourcePluginProvider;
import org.leasehold.resource.openstack.Cloud;
import org.leasehold.resource.openstack.CloudSettings;
import org.leasehold.resource.openstack.PollingWait;
import org.leasehold.resource.openstack.RequiredRights;
import org.leasehold.resource.openstack.SettingsCheck;
import org.leasehold.resource.openstack.cinder.Cinder;
import org.leasehold.resource.openstack.cinder.CinderRights;
import org.leasehold.resource.openstack.compute.Nova;
import org.leasehold.resource.openstack.compute.NovaRights;
import org.leasehold.resource.volume.VolumePlanning;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The provider of the plug-in for {@code virtual:volume} on a real Cinder. Settings: those of
 * {@link CloudSettings}. It sends no request to the cloud before the first action.
 */
public final class OpenStackVolumesProvider implements ResourcePluginProvider {

    /** A timeout that permits three waits of an end within the default of a plug-in's call. */
    private static final PollingWait DEFAULT_POLLING_WAIT =
            new PollingWait(Duration.ofSeconds(30), Duration.ofMillis(500));

    @Override
    public String name() {
        return "openstack-volumes";
    }

    @Override
    public ResourcePlugin create(Map<String, String> settings) {
        return create(CloudSettings.of(settings), DEFAULT_POLLING_WAIT);
    }

    static ResourcePlugin create(CloudSettings settings, PollingWait patience) {
        Cloud cloud = new Cloud(settings, Clock.systemUTC());
        Cinder cinder = new Cinder(cloud);
        return new Volumes(
                cloud,
                new OpenStackVolumes(cinder, new Nova(cloud), patience, settings.region()),
                Optional.of(new VolumeLeaseTags(cinder)));
    }

    private record Volumes(Cloud cloud, Acting acting, Optional<LeaseTagSource> leaseTagSource)
            implements ResourcePlugin {

        private static final Planning PLANNING = new VolumePlanning();

        @Override
        public ResourceKind kind() {
            return ResourceKind.VOLUME;
        }

        @Override
        public Planning planning() {
            return PLANNING;
        }

        @Override
        public CloudCheck check() {
            return new SettingsCheck(cloud)
                    .require("block-storage", Cinder.EXTEND_ATTACHED_MICROVERSION)
                    .require("compute", Nova.ATTACHMENTS_MICROVERSION)
                    .run();
        }

        @Override
        public List<RequiredRight> rights() {
            RequiredRights rights = new RequiredRights(cloud);
            CinderRights.addTo(rights);
            new NovaRights(cloud, rights).servers();
            return rights.all();
        }

        @Override
        public void close() {
            cloud.close();
        }
    }
}
