package org.leasehold.resource.simulator.host;

import org.leasehold.inventory.ResourceKind;
import org.leasehold.resource.Acting;
import org.leasehold.resource.Planning;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.ResourcePluginProvider;
import org.leasehold.resource.host.HostPlanning;
import org.leasehold.resource.simulator.CloudConnections;
import org.leasehold.resource.simulator.PostgresCloudStore;
import org.leasehold.resource.simulator.SimulatorSettings;

import java.util.Map;

/**
 * The provider of the plug-in for {@code physical:host} on the simulated cloud. Settings: {@code
 * url}, {@code user} and {@code password} of the cloud's database, and {@code hosts}, the number of
 * hosts of a new cloud.
 */
public final class SimulatedHostsProvider implements ResourcePluginProvider {

    @Override
    public String name() {
        return "simulator";
    }

    @Override
    public ResourcePlugin create(Map<String, String> settings) {
        CloudConnections connections = SimulatorSettings.connect(settings);
        return new Simulator(connections, new SimulatedHosts(new PostgresCloudStore(connections)));
    }

    private record Simulator(CloudConnections connections, Acting acting)
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
        public void close() {
            connections.close();
        }
    }
}
