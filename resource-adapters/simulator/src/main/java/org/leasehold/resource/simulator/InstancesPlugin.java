package org.leasehold.resource.simulator;

import org.leasehold.inventory.ResourceKind;
import org.leasehold.resource.Acting;
import org.leasehold.resource.Completing;
import org.leasehold.resource.Planning;
import org.leasehold.resource.ResourcePlugin;

import java.util.Optional;

/** A plug-in for instances: there are two kinds of requests, with the same actions. */
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
