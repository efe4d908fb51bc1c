package org.leasehold.resource.simulator.server;

import org.leasehold.inventory.ResourceKind;
import org.leasehold.resource.Acting;
import org.leasehold.resource.DefaultLeaseSource;
import org.leasehold.resource.LeaseTagSource;
import org.leasehold.resource.Planning;
import org.leasehold.resource.RequestCompleter;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.ResourcePluginProvider;
import org.leasehold.resource.server.ServerPlanning;
import org.leasehold.resource.server.ServerRequestCompleter;
import org.leasehold.resource.simulator.CloudConnections;
import org.leasehold.resource.simulator.CloudStore;
import org.leasehold.resource.simulator.PostgresCloudStore;
import org.leasehold.resource.simulator.SimulatedLeaseTags;
import org.leasehold.resource.simulator.SimulatorSettings;
import org.leasehold.resource.simulator.host.SimulatedHostsProvider;

import java.util.Map;
import java.util.Optional;

/**
 * The provider of the plug-in for {@code virtual:server} on the simulated cloud. Its settings are
 * those of {@link SimulatedHostsProvider}.
 */
public final class SimulatedServersProvider implements ResourcePluginProvider {

    @Override
    public String name() {
        return "simulated-servers";
    }

    @Override
    public ResourcePlugin create(Map<String, String> settings) {
        CloudConnections connections = SimulatorSettings.connect(settings);
        CloudStore store = new PostgresCloudStore(connections);
        ServerTable table = new ServerTable(connections);
        SimulatedServers servers = new SimulatedServers(store, table);
        return new Plugin(
                connections,
                servers,
                Optional.of(new ServerRequestCompleter(servers)),
                Optional.of(
                        SimulatedLeaseTags.servers(store, connections, ServerPlanning.SERVER_ID)),
                Optional.of(new SimulatedDefaultLeases(store, connections, table)));
    }

    private record Plugin(
            CloudConnections connections,
            Acting acting,
            Optional<RequestCompleter> requestCompleter,
            Optional<LeaseTagSource> leaseTagSource,
            Optional<DefaultLeaseSource> defaultLeaseSource)
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
