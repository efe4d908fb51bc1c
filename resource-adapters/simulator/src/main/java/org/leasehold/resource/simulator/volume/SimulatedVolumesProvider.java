package org.leasehold.resource.simulator.volume;

import org.leasehold.inventory.ResourceKind;
import org.leasehold.resource.Acting;
import org.leasehold.resource.LeaseTagSource;
import org.leasehold.resource.Planning;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.ResourcePluginProvider;
import org.leasehold.resource.simulator.CloudConnections;
import org.leasehold.resource.simulator.CloudStore;
import org.leasehold.resource.simulator.PostgresCloudStore;
import org.leasehold.resource.simulator.SimulatedLeaseTags;
import org.leasehold.resource.simulator.SimulatorSettings;
import org.leasehold.resource.simulator.host.SimulatedHostsProvider;
import org.leasehold.resource.volume.VolumePlanning;

import java.util.Map;
import java.util.Optional;

/**
 * The provider of the plug-in for {@code virtual:volume} on the simulated cloud. Its settings are
 * those of {@link SimulatedHostsProvider}.
 */
public final class SimulatedVolumesProvider implements ResourcePluginProvider {

    @Override
    public String name() {
        return "simulated-volumes";
    }

    @Override
    public ResourcePlugin create(Map<String, String> settings) {
        CloudConnections connections = SimulatorSettings.connect(settings);
        CloudStore store = new PostgresCloudStore(connections);
        return new Volumes(
                connections,
                new SimulatedVolumes(store, new VolumeTable(connections)),
                Optional.of(
                        SimulatedLeaseTags.volumes(store, connections, VolumePlanning.VOLUME_ID)));
    }

    private record Volumes(
            CloudConnections connections, Acting acting, Optional<LeaseTagSource> leaseTagSource)
            implements ResourcePlugin {

        private static final Planning PLANNING = new VolumePlanning();

        @Override
        public ResourceKind kind() {
            return ResourceKind.VOLUME;
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
