package org.leasehold.resource.simulator;

import org.leasehold.inventory.ResourceKind;
import org.leasehold.resource.Acting;
import org.leasehold.resource.Planning;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.ResourcePluginProvider;
import org.leasehold.resource.volume.VolumePlanning;

import java.util.Map;

/**
 * Makes the plugin for {@code virtual:volume} that works on the simulated cloud. Its settings are
 * those of {@link SimulatorProvider}.
 */
public final class SimulatedVolumesProvider implements ResourcePluginProvider {

    @Override
    public String name() {
        return "simulated-volumes";
    }

    @Override
    public ResourcePlugin create(Map<String, String> settings) {
        CloudConnections connections = SimulatorProvider.connect(settings);
        return new Volumes(
                connections,
                new SimulatedVolumes(
                        new PostgresCloudStore(connections), new VolumeTable(connections)));
    }

    private record Volumes(CloudConnections connections, Acting acting) implements ResourcePlugin {

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
