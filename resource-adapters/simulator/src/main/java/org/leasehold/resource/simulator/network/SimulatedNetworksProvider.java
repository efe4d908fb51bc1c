package org.leasehold.resource.simulator.network;

import org.leasehold.inventory.ResourceKind;
import org.leasehold.resource.Acting;
import org.leasehold.resource.Planning;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.ResourcePluginProvider;
import org.leasehold.resource.network.NetworkPlanning;
import org.leasehold.resource.simulator.CloudConnections;
import org.leasehold.resource.simulator.PostgresCloudStore;
import org.leasehold.resource.simulator.SimulatorSettings;
import org.leasehold.resource.simulator.host.SimulatedHostsProvider;

import java.util.Map;

/**
 * The provider of the plug-in for {@code virtual:network} on the simulated cloud. Its settings are
 * those of {@link SimulatedHostsProvider}.
 */
public final class SimulatedNetworksProvider implements ResourcePluginProvider {

    @Override
    public String name() {
        return "simulated-networks";
    }

    @Override
    public ResourcePlugin create(Map<String, String> settings) {
        CloudConnections connections = SimulatorSettings.connect(settings);
        return new Networks(
                connections,
                new SimulatedNetworks(
                        new PostgresCloudStore(connections), new NetworkTable(connections)));
    }

    private record Networks(CloudConnections connections, Acting acting) implements ResourcePlugin {

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
        public void close() {
            connections.close();
        }
    }
}
