package org.leasehold.resource.simulator;

import org.leasehold.inventory.ResourceKind;
import org.leasehold.resource.Acting;
import org.leasehold.resource.Planning;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.ResourcePluginProvider;
import org.leasehold.resource.host.HostPlanning;

import java.util.List;
import java.util.Map;

/**
 * The provider of the plug-in for {@code physical:host} on the simulated cloud. Settings: {@code
 * url}, {@code user} and {@code password} of the cloud's database, and {@code hosts}, the number of
 * hosts of a new cloud.
 */
public final class SimulatedHostsProvider implements ResourcePluginProvider {

    private static final String HOSTS = "hosts";
    private static final String DEFAULT_HOSTS = "20";
    private static final int MAX_HOSTS = 10_000;

    @Override
    public String name() {
        return "simulator";
    }

    @Override
    public ResourcePlugin create(Map<String, String> settings) {
        CloudConnections connections = connect(settings);
        return new Simulator(connections, new SimulatedHosts(new PostgresCloudStore(connections)));
    }

    /** Connects to the cloud, and creates it if there is none yet. */
    static CloudConnections connect(Map<String, String> settings) {
        SimulatorSettings known = SimulatorSettings.of(settings, List.of(HOSTS));
        int hosts = hosts(known.text(HOSTS, DEFAULT_HOSTS));
        CloudConnections connections = known.connect();
        try {
            connections.createCloud(hosts);
        } catch (RuntimeException unreachable) {
            connections.close();
            throw unreachable;
        }
        return connections;
    }

    private static int hosts(String value) {
        try {
            int hosts = Integer.parseInt(value);
            if (hosts >= 0 && hosts <= MAX_HOSTS) {
                return hosts;
            }
        } catch (NumberFormatException notANumber) {
            // Rejected below, like every other value that is no number of hosts.
        }
        throw new IllegalArgumentException(
                "the setting hosts is a number from 0 to " + MAX_HOSTS + ", not " + value);
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
