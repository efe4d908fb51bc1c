package org.leasehold.resource.openstack.network;

import org.leasehold.inventory.ResourceKind;
import org.leasehold.resource.Acting;
import org.leasehold.resource.CloudCheck;
import org.leasehold.resource.Planning;
import org.leasehold.resource.RequiredRight;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.ResourcePluginProvider;
import org.leasehold.resource.network.NetworkPlanning;
import org.leasehold.resource.openstack.Cloud;
import org.leasehold.resource.openstack.CloudSettings;
import org.leasehold.resource.openstack.ParallelCalls;
import org.leasehold.resource.openstack.RequiredRights;
import org.leasehold.resource.openstack.SettingsCheck;
import org.leasehold.resource.openstack.neutron.Neutron;
import org.leasehold.resource.openstack.neutron.NeutronRights;

import java.time.Clock;
import java.util.List;
import java.util.Map;

/**
 * The provider of the plug-in for {@code virtual:network} on a real Neutron. Settings: those of
 * {@link CloudSettings}. It sends no request to the cloud before the first action.
 */
public final class OpenStackNetworksProvider implements ResourcePluginProvider {

    @Override
    public String name() {
        return "openstack-networks";
    }

    @Override
    public ResourcePlugin create(Map<String, String> settings) {
        CloudSettings known = CloudSettings.of(settings);
        Cloud cloud = new Cloud(known, Clock.systemUTC());
        return new Networks(
                cloud,
                new OpenStackNetworks(
                        new Neutron(cloud), new ParallelCalls(known.maxCalls()), known.region()));
    }

    private record Networks(Cloud cloud, Acting acting) implements ResourcePlugin {

        private static final Planning PLANNING = new NetworkPlanning();

        @Override
        public ResourceKind kind() {
            return ResourceKind.NETWORK;
        }

        @Override
        public Planning planning() {
            return PLANNING;
        }

        @Override
        public CloudCheck check() {
            return new SettingsCheck(cloud).require("network").run();
        }

        @Override
        public List<RequiredRight> rights() {
            RequiredRights rights = new RequiredRights(cloud);
            new NeutronRights(cloud, rights).networks();
            return rights.all();
        }

        @Override
        public void close() {
            cloud.close();
        }
    }
}
