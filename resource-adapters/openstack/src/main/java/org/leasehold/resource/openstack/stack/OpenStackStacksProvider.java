package org.leasehold.resource.openstack.stack;

import org.leasehold.inventory.ResourceKind;
import org.leasehold.resource.Acting;
import org.leasehold.resource.CloudCheck;
import org.leasehold.resource.ContainedServerSource;
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
import org.leasehold.resource.openstack.cinder.Cinder;
import org.leasehold.resource.openstack.compute.Nova;
import org.leasehold.resource.openstack.heat.Heat;
import org.leasehold.resource.openstack.heat.HeatRights;
import org.leasehold.resource.openstack.instance.NovaFlavors;
import org.leasehold.resource.openstack.neutron.Neutron;
import org.leasehold.resource.openstack.neutron.NeutronRights;
import org.leasehold.resource.stack.StackPlanning;
import org.leasehold.resource.stack.StackRequestCompleter;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The provider of the plug-in for {@code virtual:stack} on a real Heat. Settings: those of {@link
 * CloudSettings}. It sends no request to the cloud before the first action.
 */
public final class OpenStackStacksProvider implements ResourcePluginProvider {

    /** A timeout for quick actions of Heat. Slow ones are retried with backoff. */
    private static final PollingWait DEFAULT_POLLING_WAIT =
            new PollingWait(Duration.ofSeconds(3), Duration.ofMillis(500));

    @Override
    public String name() {
        return "openstack-stacks";
    }

    @Override
    public ResourcePlugin create(Map<String, String> settings) {
        return create(CloudSettings.of(settings), DEFAULT_POLLING_WAIT);
    }

    static ResourcePlugin create(CloudSettings settings, PollingWait patience) {
        Cloud cloud = new Cloud(settings, Clock.systemUTC());
        Heat heat = new Heat(cloud);
        Neutron neutron = new Neutron(cloud);
        return new Plugin(
                cloud,
                new OpenStackStacks(heat, neutron, patience, settings.region()),
                Optional.of(
                        new StackRequestCompleter(
                                new HeatStacks(
                                        heat,
                                        new Nova(cloud),
                                        new NovaFlavors(cloud),
                                        new Cinder(cloud),
                                        neutron))),
                Optional.of(new StackServers(heat)));
    }

    private record Plugin(
            Cloud cloud,
            Acting acting,
            Optional<RequestCompleter> requestCompleter,
            Optional<ContainedServerSource> containedServerSource)
            implements ResourcePlugin {

        private static final Planning PLANNING = new StackPlanning();

        @Override
        public ResourceKind kind() {
            return ResourceKind.STACK;
        }

        @Override
        public Planning planning() {
            return PLANNING;
        }

        @Override
        public CloudCheck check() {
            return new SettingsCheck(cloud)
                    .require("orchestration")
                    .require("network")
                    .require("compute", NovaFlavors.EXTRA_SPECS_MICROVERSION)
                    .run();
        }

        @Override
        public List<RequiredRight> rights() {
            RequiredRights rights = new RequiredRights(cloud);
            HeatRights.addTo(rights);
            new NeutronRights(cloud, rights).externalNetworks();
            return rights.all();
        }

        @Override
        public void close() {
            cloud.close();
        }
    }
}
