package org.leasehold.resource.simulator.instance;

import org.jspecify.annotations.Nullable;
import org.leasehold.resource.ResourcePluginProvider;
import org.leasehold.resource.simulator.SimulatedHost;
import org.leasehold.resource.simulator.cloud.SimulatedCloudContract;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The contract for both kinds of instances. */
abstract class InstancesContract extends SimulatedCloudContract {

    InstancesContract(ResourcePluginProvider provider) {
        super(provider);
    }

    @Override
    protected List<String> resourceNames() {
        return List.of("compute-1", "compute-2", "compute-3");
    }

    @Override
    protected String unknownName() {
        return "compute-9";
    }

    /** Returns slots of which a host has room for one. */
    @Override
    protected Map<String, @Nullable Object> parameters() {
        SimulatedHost host = SimulatedHost.ofNumber(1);
        Map<String, @Nullable Object> parameters = new HashMap<>();
        parameters.put("vcpus", host.vcpus());
        parameters.put("memory_mb", 1024);
        parameters.put("disk_gb", 1);
        parameters.put("amount", 2);
        parameters.put("affinity", null);
        parameters.put("resource_properties", "");
        return parameters;
    }

    @Override
    protected Map<String, @Nullable Object> changes() {
        return Map.of("amount", 3);
    }
}
