package org.leasehold.resource.simulator;

import org.leasehold.inventory.ResourceKind;
import org.leasehold.resource.Acting;
import org.leasehold.resource.Completing;
import org.leasehold.resource.Petitioning;
import org.leasehold.resource.Planning;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.ResourcePluginProvider;
import org.leasehold.resource.server.ServerCompleting;
import org.leasehold.resource.server.ServerPlanning;

import java.util.Map;
import java.util.Optional;

/**
 * The provider of the plug-in for {@code virtual:server} on the simulated cloud. Its settings are
 * those of {@link SimulatorProvider}.
 */
public final class SimulatedServersProvider implements ResourcePluginProvider {

    @Override
    public String name() {
        return "simulated-servers";
    }

    @Override
    public ResourcePlugin create(Map<String, String> settings) {
        CloudConnections connections = SimulatorProvider.connect(settings);
        CloudStore store = new PostgresCloudStore(connections);
        SimulatedServers servers = new SimulatedServers(store, new ServerTable(connections));
        return new Plugin(
                connections,
                servers,
                Optional.of(new ServerCompleting(servers)),
                Optional.of(WrittenThings.servers(store, connections, ServerPlanning.SERVER_ID)));
    }

    private record Plugin(
            CloudConnections connections,
            Acting acting,
            Optional<Completing> completing,
            Optional<Petitioning> petitioning)
            implements ResourcePlugin {

        private static final Planning PLANNING = new ServerPlanning();

        @Override
        public ResourceKind kind() {
            return ResourceKind.SERVER;
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
