package org.leasehold.resource.openstack.floatingip;

import org.leasehold.inventory.ResourceKind;
import org.leasehold.resource.Acting;
import org.leasehold.resource.CloudCheck;
import org.leasehold.resource.Planning;
import org.leasehold.resource.RequiredRight;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.ResourcePluginProvider;
import org.leasehold.resource.floatingip.FloatingIpPlanning;
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
 * The provider of the plug-in for {@code virtual:floatingip} on a real Neutron. Settings: those of
 * {@link CloudSettings}. It sends no request to the cloud before the first action.
 */
public final class OpenStackFloatingIpsProvider implements ResourcePluginProvider {

    @Override
    public String name() {
        return "openstack-floatingips";
    }

    @Override
    public ResourcePlugin create(Map<String, String> settings) {
        CloudSettings known = CloudSettings.of(settings);
        Cloud cloud = new Cloud(known, Clock.systemUTC());
        return new FloatingIps(
                cloud,
                new OpenStackFloatingIps(
                        new Neutron(cloud), new ParallelCalls(known.maxCalls()), known.region()));
    }

    private record FloatingIps(Cloud cloud, Acting acting) implements ResourcePlugin {

        private static final Planning PLANNING = new FloatingIpPlanning();

        @Override
        public ResourceKind kind() {
            return ResourceKind.FLOATING_IP;
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
            new NeutronRights(cloud, rights).externalNetworks().floatingIps();
            return rights.all();
        }

        @Override
        public void close() {
            cloud.close();
        }
    }
}
