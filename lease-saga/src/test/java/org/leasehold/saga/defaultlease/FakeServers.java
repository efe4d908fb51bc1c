package org.leasehold.saga.defaultlease;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.Fault;
import org.leasehold.resource.DefaultLeaseSource;
import org.leasehold.resource.LeasableObject;
import org.leasehold.resource.LeasableObject.State;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.server.ComputeCapacity;
import org.leasehold.saga.fakes.FakeServerPlugin;
import org.leasehold.vocabulary.ProjectId;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;

/** A cloud of servers that their owners created without leases. */
final class FakeServers extends FakeServerPlugin implements DefaultLeaseSource {

    private final Map<String, LeasableObject> servers =
            Collections.synchronizedMap(new TreeMap<>());
    private boolean away;
    private final FakeStacks stacks = new FakeStacks();
    private boolean hidesServers;
    private boolean failsChecks;
    private Runnable afterListing = () -> {};
    private Runnable beforeRequest = () -> {};

    /** Returns the id of a server. */
    static String id(int number) {
        return new UUID(0, number).toString();
    }

    static LeasableObject server(String id) {
        return server(id, Map.of(), null, State.READY, null);
    }

    static LeasableObject server(
            String id,
            Map<String, String> metadata,
            @Nullable Instant createdAt,
            State state,
            @Nullable String obstacle) {
        return new LeasableObject(
                ResourceKind.SERVER,
                id,
                PROJECT,
                USER,
                "m1.small",
                metadata,
                createdAt,
                state,
                obstacle);
    }

    void put(LeasableObject server) {
        servers.put(server.id(), server);
    }

    void delete(String id) {
        servers.remove(id);
    }

    /** Sets whether the cloud responds. */
    void setAway(boolean isAway) {
        away = isAway;
    }

    /** Sets whether listings leave out all servers, although they exist. */
    void setHidesServers(boolean hides) {
        hidesServers = hides;
    }

    /** Sets an action between a listing and its processing. */
    void afterListing(Runnable action) {
        afterListing = action;
    }

    /** Sets whether queries for one server get no response. */
    void setFailsChecks(boolean fails) {
        failsChecks = fails;
    }

    /** Sets an action between the processing of a listing and the command. */
    void beforeRequest(Runnable action) {
        beforeRequest = action;
    }

    FakeStacks stacks() {
        return stacks;
    }

    @Override
    public Listing findLeasableObjects() {
        if (away) {
            return new Listing.Unknown(new Fault(Fault.Kind.RETRYABLE, "away"));
        }
        Listing listing =
                new Listing.All(hidesServers ? List.of() : new ArrayList<>(servers.values()));
        afterListing.run();
        return listing;
    }

    @Override
    public Presence check(String id, ProjectId project) {
        if (away || failsChecks) {
            return Presence.UNKNOWN;
        }
        LeasableObject server = servers.get(id);
        return server != null && server.project().equals(project)
                ? Presence.PRESENT
                : Presence.DELETED;
    }

    @Override
    public Search find(String id, ProjectId project) {
        beforeRequest.run();
        if (failsChecks) {
            return new Search.Unknown(new Fault(Fault.Kind.RETRYABLE, "no response"));
        }
        return servers.containsKey(id)
                ? new Search.Found(new ComputeCapacity("nova", 1, 512, 1))
                : new Search.NotFound();
    }

    @Override
    public Optional<ResourcePlugin> find(ResourceKind kind) {
        return Optional.of(kind.equals(stacks.kind()) ? stacks : this);
    }

    @Override
    public SortedSet<String> kinds() {
        return new TreeSet<>(List.of(kind().value(), stacks.kind().value()));
    }

    @Override
    public Optional<DefaultLeaseSource> defaultLeaseSource() {
        return Optional.of(this);
    }
}
