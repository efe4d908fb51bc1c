package org.leasehold.resource.simulator.instance;

import org.leasehold.inventory.ResourceKind;
import org.leasehold.resource.Acting;
import org.leasehold.resource.Planning;
import org.leasehold.resource.RequestCompleter;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.simulator.CloudConnections;
import org.leasehold.resource.simulator.PostgresCloudStore;

import java.util.Optional;

/** A plug-in for instances: there are two kinds of requests, with the same actions. */
record SimulatedInstancesPlugin(
        ResourceKind kind,
        Planning planning,
        Optional<RequestCompleter> requestCompleter,
        CloudConnections connections,
        Acting acting)
        implements ResourcePlugin {

    static SimulatedInstancesPlugin of(
            ResourceKind kind,
            Planning planning,
            Optional<RequestCompleter> requestCompleter,
            CloudConnections connections) {
        return new SimulatedInstancesPlugin(
                kind,
                planning,
                requestCompleter,
                connections,
                new SimulatedInstances(
                        new PostgresCloudStore(connections), new InstanceSlotTable(connections)));
    }

    @Override
    public void close() {
        connections.close();
    }
}
