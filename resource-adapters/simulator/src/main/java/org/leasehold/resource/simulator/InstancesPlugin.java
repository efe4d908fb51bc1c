package org.leasehold.resource.simulator;

import org.leasehold.inventory.ResourceKind;
import org.leasehold.resource.Acting;
import org.leasehold.resource.Completing;
import org.leasehold.resource.Planning;
import org.leasehold.resource.ResourcePlugin;

import java.util.Optional;

/** A plugin for instances: they are asked for in two ways, and then are all the same. */
record InstancesPlugin(
        ResourceKind kind,
        Planning planning,
        Optional<Completing> completing,
        CloudConnections connections,
        Acting acting)
        implements ResourcePlugin {

    static InstancesPlugin of(
            ResourceKind kind,
            Planning planning,
            Optional<Completing> completing,
            CloudConnections connections) {
        return new InstancesPlugin(
                kind,
                planning,
                completing,
                connections,
                new SimulatedInstances(
                        new PostgresCloudStore(connections), new ReservedSlots(connections)));
    }

    @Override
    public void close() {
        connections.close();
    }
}
