package org.leasehold.resource.simulator.floatingip;

import org.leasehold.inventory.ResourceKind;
import org.leasehold.resource.Acting;
import org.leasehold.resource.Planning;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.ResourcePluginProvider;
import org.leasehold.resource.floatingip.FloatingIpPlanning;
import org.leasehold.resource.simulator.CloudConnections;
import org.leasehold.resource.simulator.PostgresCloudStore;
import org.leasehold.resource.simulator.SimulatorSettings;
import org.leasehold.resource.simulator.host.SimulatedHostsProvider;

import java.util.Map;

/**
 * The provider of the plug-in for {@code virtual:floatingip} on the simulated cloud. Its settings
 * are those of {@link SimulatedHostsProvider}.
 */
public final class SimulatedFloatingIpsProvider implements ResourcePluginProvider {

    @Override
    public String name() {
        return "simulated-floatingips";
    }

    @Override
    public ResourcePlugin create(Map<String, String> settings) {
        CloudConnections connections = SimulatorSettings.connect(settings);
        return new FloatingIps(
                connections,
                new SimulatedFloatingIps(
                        new PostgresCloudStore(connections), new FloatingIpTable(connections)));
    }

    private record FloatingIps(CloudConnections connections, Acting acting)
            implements ResourcePlugin {

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
        public void close() {
            connections.close();
        }
    }
}
