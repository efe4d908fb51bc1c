package org.leasehold.resource.simulator.cloud;

import org.jspecify.annotations.Nullable;
import org.leasehold.resource.floatingip.FloatingIp;
import org.leasehold.resource.network.Segment;
import org.leasehold.resource.server.ComputeCapacity;
import org.leasehold.resource.simulator.BehaviorRule;
import org.leasehold.resource.simulator.BehaviorRuleTable;
import org.leasehold.resource.simulator.CloudConnections;
import org.leasehold.resource.simulator.HostTable;
import org.leasehold.resource.simulator.SimulatedHost;
import org.leasehold.resource.simulator.SimulatedHost.Server;
import org.leasehold.resource.simulator.SimulatedLeaseTags;
import org.leasehold.resource.simulator.floatingip.FloatingIpTable;
import org.leasehold.resource.simulator.floatingip.SimulatedFloatingIp;
import org.leasehold.resource.simulator.network.NetworkTable;
import org.leasehold.resource.simulator.network.SimulatedNetwork;
import org.leasehold.resource.simulator.server.ServerTable;
import org.leasehold.resource.simulator.server.SimulatedServer;
import org.leasehold.resource.simulator.stack.SimulatedStack;
import org.leasehold.resource.simulator.stack.StackTable;
import org.leasehold.resource.simulator.volume.SimulatedVolume;
import org.leasehold.resource.simulator.volume.VolumeTable;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.UserId;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * The simulated cloud as its users and operators see it. Tests, checkers and the console read it,
 * boot servers in it and make it misbehave.
 */
public final class SimulatedCloud implements AutoCloseable {

    private final CloudConnections connections;
    private final BehaviorRuleTable behaviours;
    private final HostTable hosts;
    private final AggregateTable aggregates;
    private final ServerPlacement placement;
    private final EffectTable effects;

    SimulatedCloud(CloudConnections connections) {
        this.connections = connections;
        this.behaviours = new BehaviorRuleTable(connections);
        this.hosts = new HostTable(connections);
        this.aggregates = new AggregateTable(connections);
        this.placement = new ServerPlacement(connections);
        this.effects = new EffectTable(connections);
    }

    /** Connects to an existing cloud. Changes nothing. */
    public static SimulatedCloud connect(String url, String user, String password) {
        return new SimulatedCloud(new CloudConnections(url, user, password));
    }

    /** Connects to a cloud, and creates it with that many hosts if there is none. */
    public static SimulatedCloud create(String url, String user, String password, int hosts) {
        CloudConnections connections = new CloudConnections(url, user, password);
        connections.createCloud(hosts);
        return new SimulatedCloud(connections);
    }

    /** Returns all hosts, sorted by number. */
    public List<SimulatedHost> hosts() {
        return hosts.all();
    }

    /** Returns the host with exactly this name or this number. */
    public Optional<SimulatedHost> host(String nameOrId) {
        return hosts.find(nameOrId);
    }

    /** Returns all aggregates with their hosts, sorted by name. */
    public List<Aggregate> aggregates() {
        return aggregates.all();
    }

    /** Returns the aggregate that holds a reservation's hosts. */
    public Optional<Aggregate> aggregate(ReservationId reservation) {
        return aggregates.find(reservation);
    }

    /** Returns the hosts that no reservation has. */
    public List<String> freepool() {
        return aggregates.freepool();
    }

    /** Returns all servers, sorted by name. */
    public List<Server> servers() {
        return hosts.servers();
    }

    /** Returns the servers on a host, sorted by name. */
    public List<Server> serversOn(String host) {
        return hosts.serversOn(host);
    }

    /** Returns all networks, sorted by segment. */
    public List<SimulatedNetwork> networks() {
        return new NetworkTable(connections).all();
    }

    /** Creates a network as an administrator does; returns false if the segment is taken. */
    public boolean createNetwork(Segment segment, String name, ProjectId project) {
        return new NetworkTable(connections)
                        .create(new SimulatedNetwork(segment, name, "", project, null))
                > 0;
    }

    /** Returns all volumes, sorted by type and name. */
    public List<SimulatedVolume> volumes() {
        return new VolumeTable(connections).all();
    }

    /**
     * Creates a volume as a user does.
     *
     * @return empty if there is no room for it
     */
    public Optional<SimulatedVolume> createVolume(
            String type, int size, String name, ProjectId project) {
        UUID id = UUID.randomUUID();
        VolumeTable table = new VolumeTable(connections);
        SimulatedVolume wanted =
                new SimulatedVolume(id, type, size, name, "", project, false, null);
        connections.runInTransaction(() -> table.create(wanted));
        return table.find(id);
    }

    /** Attaches a volume to a server of its project. */
    public void attachVolume(UUID id) {
        new VolumeTable(connections).setAttached(id, true);
    }

    /** Returns the reservations at whose ends snapshots of a volume were taken. */
    public List<ReservationId> volumeSnapshots(UUID volume) {
        return new VolumeTable(connections).snapshots(volume);
    }

    /** Returns all servers in zones whose hosts are not leased, sorted by name. */
    public List<SimulatedServer> zoneServers() {
        return new ServerTable(connections).all();
    }

    /** Creates a server as a user does, without a check for room. */
    public UUID createServer(
            String name, ProjectId project, ComputeCapacity room, SimulatedServer.State state) {
        UUID id = UUID.randomUUID();
        new ServerTable(connections)
                .create(new SimulatedServer(id, name, project, room, state, null));
        return id;
    }

    /** Deletes a server in a zone, as its user does. */
    public void deleteServer(UUID id) {
        new ServerTable(connections).delete(id);
    }

    /** Replaces the metadata of a server or a volume, as a user does. */
    public void setMetadata(UUID thing, UserId user, Map<String, String> metadata) {
        SimulatedLeaseTags.writeMetadata(connections, thing, user, metadata);
    }

    /** Returns the metadata of a server or a volume. */
    public Map<String, String> metadata(UUID thing) {
        return SimulatedLeaseTags.metadata(connections, thing);
    }

    /** Shelves, stops or starts a server, as its user does. */
    public void setServerState(UUID id, SimulatedServer.State state) {
        new ServerTable(connections).setState(id, state);
    }

    /** Returns all stacks, sorted by project and name. */
    public List<SimulatedStack> stacks() {
        return new StackTable(connections).all();
    }

    /** Creates a stack as a user does, from a template in JSON. */
    public UUID createStack(String name, ProjectId project, Map<String, ?> template) {
        return new StackTable(connections).create(name, project, template);
    }

    /** Returns the names of resources that have outlived their stacks. */
    public List<String> retainedResources() {
        return new StackTable(connections).retained();
    }

    /** Returns the reservations at whose ends images of a server were created. */
    public List<ReservationId> serverImages(UUID server) {
        return new ServerTable(connections).images(server);
    }

    /** Returns all floating IPs, sorted by network and address. */
    public List<SimulatedFloatingIp> floatingIps() {
        return new FloatingIpTable(connections).all();
    }

    /** Creates a floating IP as a user does; returns false if the address is taken. */
    public boolean createFloatingIp(FloatingIp ip, ProjectId project) {
        return new FloatingIpTable(connections).create(ip, project, null) > 0;
    }

    /** Returns the reserved slots of all hosts, sorted by host. */
    public List<Slots> slots() {
        return new SlotTable(connections).all();
    }

    /** Returns all images, sorted by name. */
    public List<Image> images() {
        return new ImageTable(connections).all();
    }

    /** Returns all changes that took effect, in order. */
    public List<Effect> effects() {
        return effects.all();
    }

    /** Returns the changes that took effect for one reservation, in order. */
    public List<Effect> effects(ReservationId reservation) {
        return effects.find(reservation);
    }

    /**
     * Boots a server as a user does, with the scheduler hint {@code reservation=<id>}.
     *
     * @return empty if the scheduler finds no host: the reservation has none, or is another
     *     project's
     */
    public Optional<Server> boot(String name, ProjectId project, ReservationId reservation) {
        return placement.boot(name, project, reservation);
    }

    /**
     * Boots a server on a host of the pool; it is deleted if a lease needs the host.
     *
     * @return empty if the host is not in the pool
     */
    public Optional<Server> bootPreemptible(String name, ProjectId project, String host) {
        return placement.bootPreemptible(name, project, host);
    }

    /** Changes the memory of a host, in MiB. */
    public void setMemory(String host, int memoryMb) {
        hosts.setMemory(host, memoryMb);
    }

    /** Breaks a host, or repairs it. */
    public void setHostUp(String host, boolean up) {
        hosts.setUp(host, up);
    }

    /** Makes the cloud misbehave from now on, for every process that uses it. */
    public void addBehaviorRule(BehaviorRule rule) {
        behaviours.add(rule);
    }

    /** Ends all misbehaviour of the cloud. */
    public void clearBehaviorRules() {
        behaviours.clear();
    }

    @Override
    public void close() {
        connections.close();
    }

    /**
     * A set of hosts: the pool, or those of one reservation.
     *
     * @param name {@code freepool}, or the reservation's id
     */
    public record Aggregate(
            String name, @Nullable String zone, Map<String, String> metadata, List<String> hosts) {

        public Aggregate {
            metadata = Map.copyOf(metadata);
            hosts = List.copyOf(hosts);
        }
    }

    /** The slots of a reservation on a host that it may share with others. */
    public record Slots(ReservationId reservation, String host, int slots) {}

    /** An image of a server, taken before its deletion. */
    public record Image(
            UUID id, String name, UUID server, ProjectId project, ReservationId reservation) {}

    /** A change that took effect. */
    public record Effect(
            Instant at,
            String operation,
            @Nullable ReservationId reservation,
            @Nullable String host) {}
}
