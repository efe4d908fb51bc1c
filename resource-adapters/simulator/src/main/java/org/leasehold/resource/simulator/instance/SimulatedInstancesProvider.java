package org.leasehold.resource.simulator.instance;

import org.leasehold.inventory.ResourceKind;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.ResourcePluginProvider;
import org.leasehold.resource.instance.InstancePlanning;
import org.leasehold.resource.simulator.SimulatorSettings;
import org.leasehold.resource.simulator.host.SimulatedHostsProvider;

import java.util.Map;
import java.util.Optional;

/**
 * The provider of the plug-in for {@code virtual:instance} on the simulated cloud. Its settings are
 * those of {@link SimulatedHostsProvider}.
 */
public final class SimulatedInstancesProvider implements ResourcePluginProvider {

    @Override
    public String name() {
        return "simulated-instances";
    }

    @Override
    public ResourcePlugin create(Map<String, String> settings) {
        return SimulatedInstancesPlugin.of(
                ResourceKind.VIRTUAL_INSTANCE,
                new InstancePlanning(),
                Optional.empty(),
                SimulatorSettings.connect(settings));
    }
}
