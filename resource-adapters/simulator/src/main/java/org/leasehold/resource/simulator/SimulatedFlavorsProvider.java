package org.leasehold.resource.simulator;

import org.leasehold.inventory.ResourceKind;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.ResourcePluginProvider;
import org.leasehold.resource.instance.FlavorCompleting;
import org.leasehold.resource.instance.FlavorPlanning;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The provider of the plug-in for {@code flavor:instance} on the simulated cloud. Its settings are
 * those of {@link SimulatorProvider}, and {@code flavors}, the cloud's {@link FlavorList}.
 */
public final class SimulatedFlavorsProvider implements ResourcePluginProvider {

    @Override
    public String name() {
        return "simulated-flavors";
    }

    @Override
    public ResourcePlugin create(Map<String, String> settings) {
        Map<String, String> ofCloud = new HashMap<>(settings);
        FlavorList flavors = FlavorList.takenFrom(ofCloud);
        CloudConnections connections = SimulatorProvider.connect(ofCloud);
        return InstancesPlugin.of(
                ResourceKind.FLAVOR_INSTANCE,
                new FlavorPlanning(),
                Optional.of(
                        new FlavorCompleting(
                                new SimulatedFlavors(
                                        new PostgresCloudStore(connections), flavors))),
                connections);
    }
}
