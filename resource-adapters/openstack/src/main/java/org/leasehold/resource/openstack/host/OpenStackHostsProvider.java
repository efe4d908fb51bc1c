package org.leasehold.resource.openstack.host;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.resource.Acting;
import org.leasehold.resource.CloudCheck;
import org.leasehold.resource.Planning;
import org.leasehold.resource.RequiredRight;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.ResourcePluginProvider;
import org.leasehold.resource.host.HostPlanning;
import org.leasehold.resource.openstack.Cloud;
import org.leasehold.resource.openstack.CloudSettings;
import org.leasehold.resource.openstack.ParallelCalls;
import org.leasehold.resource.openstack.PollingWait;
import org.leasehold.resource.openstack.RequiredRights;
import org.leasehold.resource.openstack.SettingsCheck;
import org.leasehold.resource.openstack.compute.Nova;
import org.leasehold.resource.openstack.compute.NovaAggregate;
import org.leasehold.resource.openstack.compute.NovaNotificationListener;
import org.leasehold.resource.openstack.compute.NovaRights;
import org.leasehold.resource.openstack.placement.Placement;
import org.leasehold.resource.openstack.placement.PlacementRights;

import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The provider of the plug-in for {@code physical:host} on a real Nova. Settings: those of {@link
 * CloudSettings}, {@code isolation}, which is {@code filter} or {@code tenancy}, and {@code
 * before-end}, which is {@code none} (the default) or {@code snapshot}. It sends no request before
 * the first action: the cloud may be down when the engine starts.
 */
public final class OpenStackHostsProvider implements ResourcePluginProvider {

    private static final String ISOLATION = "isolation";
    private static final String BEFORE_END = "before-end";

    /** A timeout shorter than the default of a plug-in's call. */
    private static final PollingWait DEFAULT_POLLING_WAIT =
            new PollingWait(Duration.ofSeconds(60), Duration.ofMillis(500));

    @Override
    public String name() {
        return "openstack-hosts";
    }

    @Override
    public ResourcePlugin create(Map<String, String> settings) {
        Map<String, String> ofCloud = new HashMap<>(settings);
        String isolation = ofCloud.remove(ISOLATION);
        if (isolation == null) {
            // A wrong guess would open leased hosts to all projects.
            throw new IllegalArgumentException("the setting isolation is missing");
        }
        String beforeEnd = ofCloud.remove(BEFORE_END);
        return create(
                HostIsolation.of(isolation),
                beforeEnd == null ? BeforeEndAction.NONE : BeforeEndAction.ofSetting(beforeEnd),
                CloudSettings.of(ofCloud),
                DEFAULT_POLLING_WAIT);
    }

    static ResourcePlugin create(
            HostIsolation isolation, CloudSettings settings, PollingWait patience) {
        return create(isolation, BeforeEndAction.NONE, settings, patience);
    }

    static ResourcePlugin create(
            HostIsolation isolation,
            BeforeEndAction defaultBeforeEnd,
            CloudSettings settings,
            PollingWait patience) {
        Cloud cloud = new Cloud(settings, Clock.systemUTC());
        Nova nova = new Nova(cloud);
        ParallelCalls sideBySide = new ParallelCalls(settings.maxCalls());
        Acting acting =
                new OpenStackHosts(
                        nova,
                        isolation,
                        patience,
                        sideBySide,
                        new HostDescriptions(new Placement(cloud), sideBySide, settings.region()),
                        defaultBeforeEnd);
        return new Hosts(cloud, nova, isolation, acting, NovaNotificationListener.of(settings));
    }

    private record Hosts(
            Cloud cloud,
            Nova nova,
            HostIsolation isolation,
            Acting acting,
            @Nullable NovaNotificationListener notifications)
            implements ResourcePlugin {

        private static final Planning PLANNING = new HostPlanning();

        @Override
        public ResourceKind kind() {
            return ResourceKind.PHYSICAL_HOST;
        }

        @Override
        public Planning planning() {
            return PLANNING;
        }

        @Override
        public Listening subscribe(Runnable news) {
            return notifications == null ? () -> {} : notifications.listenToServices(news);
        }

        @Override
        public CloudCheck check() {
            return new SettingsCheck(cloud)
                    .require("compute", Nova.HYPERVISORS_MICROVERSION)
                    .requireIfPresent("placement", Placement.FIRST_MICROVERSION)
                    .rejectIf(
                            "compute",
                            () ->
                                    nova.aggregates()
                                            .findByName(NovaAggregate.FREEPOOL)
                                            .flatMap(isolation::describeMismatch))
                    .adviseOn("compute", isolation::describeZoneNeed)
                    .run();
        }

        @Override
        public List<RequiredRight> rights() {
            RequiredRights rights = new RequiredRights(cloud);
            new NovaRights(cloud, rights)
                    .hypervisors()
                    .zones()
                    .servers()
                    .migrations()
                    .aggregates()
                    .images();
            new PlacementRights(cloud).addReadRights(rights);
            return rights.all();
        }

        @Override
        public void close() {
            cloud.close();
        }
    }
}
