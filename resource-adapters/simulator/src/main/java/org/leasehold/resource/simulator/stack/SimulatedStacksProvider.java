package org.leasehold.resource.simulator.stack;

import org.leasehold.inventory.ResourceKind;
import org.leasehold.resource.Acting;
import org.leasehold.resource.Planning;
import org.leasehold.resource.RequestCompleter;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.ResourcePluginProvider;
import org.leasehold.resource.simulator.CloudConnections;
import org.leasehold.resource.simulator.CloudStore;
import org.leasehold.resource.simulator.PostgresCloudStore;
import org.leasehold.resource.simulator.SimulatorSettings;
import org.leasehold.resource.simulator.host.SimulatedHostsProvider;
import org.leasehold.resource.simulator.instance.FlavorList;
import org.leasehold.resource.simulator.volume.VolumeTable;
import org.leasehold.resource.stack.StackPlanning;
import org.leasehold.resource.stack.StackRequestCompleter;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The provider of the plug-in for {@code virtual:stack} on the simulated cloud. Its settings are
 * those of {@link SimulatedHostsProvider}, and {@code flavors}, the cloud's {@link FlavorList}.
 */
public final class SimulatedStacksProvider implements ResourcePluginProvider {

    @Override
    public String name() {
        return "simulated-stacks";
    }

    @Override
    public ResourcePlugin create(Map<String, String> settings) {
        Map<String, String> ofCloud = new HashMap<>(settings);
        FlavorList flavors = FlavorList.extractFrom(ofCloud);
        CloudConnections connections = SimulatorSettings.connect(ofCloud);
        CloudStore store = new PostgresCloudStore(connections);
        StackTable table = new StackTable(connections);
        return new Plugin(
                connections,
                new SimulatedStacks(store, table),
                Optional.of(
                        new StackRequestCompleter(
                                new SimulatedHeat(
                                        store, table, new VolumeTable(connections), flavors))));
    }

    private record Plugin(
            CloudConnections connections,
            Acting acting,
            Optional<RequestCompleter> requestCompleter)
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
        public void close() {
            connections.close();
        }
    }
}
