package org.leasehold.resource.simulator.server;

import org.leasehold.inventory.ResourceKind;
import org.leasehold.resource.Acting;
import org.leasehold.resource.DefaultLeaseSource;
import org.leasehold.resource.LeasableObject;
import org.leasehold.resource.LeasableObject.State;
import org.leasehold.resource.server.ComputeCapacity;
import org.leasehold.resource.simulator.CloudConnections;
import org.leasehold.resource.simulator.CloudStore;
import org.leasehold.resource.simulator.SimulatedCloudCall;
import org.leasehold.resource.simulator.SimulatedLeaseTags;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.UserId;

import java.util.ArrayList;
import java.util.List;

/**
 * The simulated servers that can get a default lease. The simulated cloud stores no time of
 * creation, and names a flavor after its size.
 */
record SimulatedDefaultLeases(CloudStore store, CloudConnections connections, ServerTable table)
        implements DefaultLeaseSource {

    @Override
    public Listing findLeasableObjects() {
        List<LeasableObject> found = new ArrayList<>();
        return switch (call("default_leases", () -> found.addAll(list()))) {
            case Acting.Result.Done _ -> new Listing.All(found);
            case Acting.Result.Failed(var fault) -> new Listing.Unknown(fault);
        };
    }

    private List<LeasableObject> list() {
        return table.all().stream().map(this::leasable).toList();
    }

    private LeasableObject leasable(SimulatedServer server) {
        return new LeasableObject(
                ResourceKind.SERVER,
                server.id().toString(),
                server.project(),
                SimulatedLeaseTags.author(connections, server.id())
                        .orElseGet(() -> new UserId(server.project().value())),
                flavor(server.room()),
                SimulatedLeaseTags.metadata(connections, server.id()),
                null,
                server.state() == SimulatedServer.State.SHELVED_OFFLOADED
                        ? State.SHELVED
                        : State.READY,
                null);
    }

    private static String flavor(ComputeCapacity room) {
        return room.vcpus() + "/" + room.memoryMb() + "/" + room.diskGb();
    }

    @Override
    public Presence check(String id, ProjectId project) {
        List<SimulatedServer> found = new ArrayList<>();
        Acting.Result result =
                call(
                        "find_server",
                        () ->
                                table.find(id)
                                        .filter(server -> server.project().equals(project))
                                        .ifPresent(found::add));
        if (result instanceof Acting.Result.Failed) {
            return Presence.UNKNOWN;
        }
        return found.isEmpty() ? Presence.DELETED : Presence.PRESENT;
    }

    private Acting.Result call(String name, Runnable query) {
        return new SimulatedCloudCall(store, name, null, () -> true).perform(_ -> query.run());
    }
}
