package org.leasehold.resource.openstack.instance;

import org.leasehold.inventory.ResourceKind;
import org.leasehold.resource.Acting;
import org.leasehold.resource.CloudCheck;
import org.leasehold.resource.Planning;
import org.leasehold.resource.RequestCompleter;
import org.leasehold.resource.RequiredRight;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.instance.FlavorPlanning;
import org.leasehold.resource.instance.FlavorRequestCompleter;
import org.leasehold.resource.instance.InstancePlanning;
import org.leasehold.resource.openstack.Cloud;
import org.leasehold.resource.openstack.CloudSettings;
import org.leasehold.resource.openstack.ParallelCalls;
import org.leasehold.resource.openstack.PollingWait;
import org.leasehold.resource.openstack.RequiredRights;
import org.leasehold.resource.openstack.SettingsCheck;
import org.leasehold.resource.openstack.compute.NovaRights;
import org.leasehold.resource.openstack.placement.Placement;
import org.leasehold.resource.openstack.placement.PlacementRights;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A plug-in for instances: there are two kinds of requests, with the same actions. It sends no
 * request to the cloud before the first action: the cloud may be down when the engine starts.
 */
record OpenStackInstancesPlugin(
        ResourceKind kind,
        Planning planning,
        Optional<RequestCompleter> requestCompleter,
        Cloud cloud,
        Acting acting)
        implements ResourcePlugin {

    /** A timeout shorter than the default of a plug-in's call. */
    static final PollingWait DEFAULT_POLLING_WAIT =
            new PollingWait(Duration.ofSeconds(60), Duration.ofMillis(500));

    /** Returns the plug-in for slots whose size the reservation states. */
    static OpenStackInstancesPlugin ofSizes(CloudSettings settings, PollingWait patience) {
        Cloud cloud = new Cloud(settings, Clock.systemUTC());
        return new OpenStackInstancesPlugin(
                ResourceKind.VIRTUAL_INSTANCE,
                new InstancePlanning(),
                Optional.empty(),
                cloud,
                acting(cloud, settings, patience));
    }

    /** Returns the plug-in for slots that have a flavor's size. */
    static OpenStackInstancesPlugin ofFlavors(CloudSettings settings, PollingWait patience) {
        Cloud cloud = new Cloud(settings, Clock.systemUTC());
        return new OpenStackInstancesPlugin(
                ResourceKind.FLAVOR_INSTANCE,
                new FlavorPlanning(),
                Optional.of(new FlavorRequestCompleter(new NovaFlavors(cloud))),
                cloud,
                acting(cloud, settings, patience));
    }

    private static Acting acting(Cloud cloud, CloudSettings settings, PollingWait patience) {
        return new OpenStackInstances(cloud, patience, new ParallelCalls(settings.maxCalls()));
    }

    /**
     * Permits a cloud without Placement: instances are enabled with hosts, which do not need it.
     */
    @Override
    public CloudCheck check() {
        return new SettingsCheck(cloud)
                .require("compute", ReservedServerGroup.POLICY_MICROVERSION)
                .requireIfPresent("placement", Placement.TREES_MICROVERSION)
                .run();
    }

    @Override
    public List<RequiredRight> rights() {
        RequiredRights rights = new RequiredRights(cloud);
        new NovaRights(cloud, rights)
                .hypervisors()
                .servers()
                .migrations()
                .aggregates()
                .flavors()
                .serverGroups();
        new PlacementRights(cloud).addChangeRights(rights);
        return rights.all();
    }

    @Override
    public void close() {
        cloud.close();
    }
}
