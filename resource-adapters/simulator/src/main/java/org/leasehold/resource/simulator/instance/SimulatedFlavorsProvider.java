package org.leasehold.resource.simulator.instance;

import org.leasehold.inventory.ResourceKind;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.ResourcePluginProvider;
import org.leasehold.resource.instance.FlavorPlanning;
import org.leasehold.resource.instance.FlavorRequestCompleter;
import org.leasehold.resource.simulator.CloudConnections;
import org.leasehold.resource.simulator.PostgresCloudStore;
import org.leasehold.resource.simulator.SimulatorSettings;
import org.leasehold.resource.simulator.host.SimulatedHostsProvider;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The provider of the plug-in for {@code flavor:instance} on the simulated cloud. Its settings are
 * those of {@link SimulatedHostsProvider}, and {@code flavors}, the cloud's {@link FlavorList}.
 */
public final class SimulatedFlavorsProvider implements ResourcePluginProvider {

    @Override
    public String name() {
        return "simulated-flavors";
    }

    @Override
    public ResourcePlugin create(Map<String, String> settings) {
        Map<String, String> ofCloud = new HashMap<>(settings);
        FlavorList flavors = FlavorList.extractFrom(ofCloud);
        CloudConnections connections = SimulatorSettings.connect(ofCloud);
        return SimulatedInstancesPlugin.of(
                ResourceKind.FLAVOR_INSTANCE,
                new FlavorPlanning(),
                Optional.of(
                        new FlavorRequestCompleter(
                                new SimulatedFlavors(
                                        new PostgresCloudStore(connections), flavors))),
                connections);
    }
}
