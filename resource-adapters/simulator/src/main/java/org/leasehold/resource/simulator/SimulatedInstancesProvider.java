package org.leasehold.resource.simulator;

import org.leasehold.inventory.ResourceKind;
import org.leasehold.resource.Acting;
import org.leasehold.resource.Planning;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.ResourcePluginProvider;
import org.leasehold.resource.instance.InstancePlanning;

import java.util.Map;

/**
 * Makes the plugin for {@code virtual:instance} that works on the simulated cloud. Its settings are
 * those of {@link SimulatorProvider}.
 */
public final class SimulatedInstancesProvider implements ResourcePluginProvider {

    @Override
    public String name() {
        return "simulated-instances";
    }

    @Override
    public ResourcePlugin create(Map<String, String> settings) {
        CloudConnections connections = SimulatorProvider.connect(settings);
        return new Simulator(
                connections,
                new SimulatedInstances(
                        new PostgresCloudStore(connections), new ReservedSlots(connections)));
    }

    private record Simulator(CloudConnections connections, Acting acting)
            implements ResourcePlugin {

        private static final Planning PLANNING = new InstancePlanning();

        @Override
        public ResourceKind kind() {
            return ResourceKind.VIRTUAL_INSTANCE;
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
