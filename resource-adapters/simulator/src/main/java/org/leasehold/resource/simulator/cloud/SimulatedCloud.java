package org.leasehold.resource.simulator.cloud;

import org.jspecify.annotations.Nullable;
import org.leasehold.resource.floatingip.FloatingIp;
import org.leasehold.resource.network.Segment;
import org.leasehold.resource.server.ComputeCapacity;
import org.leasehold.resource.simulator.BehaviorRule;
import org.leasehold.resource.simulator.BehaviorRuleTable;
import org.leasehold.resource.simulator.CloudConnections;
import org.leasehold.resource.simulator.CloudStore;
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
import org.leasehold.resource.simulator.stack.SimulatedTemplate;
import org.leasehold.resource.simulator.stack.StackTable;
import org.leasehold.resource.simulator.volume.SimulatedVolume;
import org.leasehold.resource.simulator.volume.VolumeTable;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.UserId;
import org.springframework.jdbc.core.simple.JdbcClient;

import tools.jackson.databind.JavaType;
import tools.jackson.databind.json.JsonMapper;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;

/**
 * The simulated cloud as its users and operators see it. Tests, checkers and the console read it,
 * boot servers in it and make it misbehave.
 */
public final class SimulatedCloud implements AutoCloseable {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final JavaType STRING_MAP_TYPE =
            JSON.getTypeFactory().constructMapType(TreeMap.class, String.class, String.class);

    private static final String AGGREGATES_QUERY =
            """
            SELECT name, zone, CAST(metadata AS text) AS metadata,
                   array(SELECT h.host FROM aggregate_host h
                         WHERE h.aggregate = a.name ORDER BY h.host) AS hosts
            FROM aggregate a
            """;

    private final CloudConnections connections;
    private final BehaviorRuleTable behaviours;
    private final HostTable hosts;

    SimulatedCloud(CloudConnections connections) {
        this.connections = connections;
        this.behaviours = new BehaviorRuleTable(connections);
        this.hosts = new HostTable(connections);
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
        return jdbc().sql(AGGREGATES_QUERY + " ORDER BY name")
                .query(SimulatedCloud::aggregate)
                .list();
    }

    /** Returns the aggregate that holds a reservation's hosts. */
    public Optional<Aggregate> aggregate(ReservationId reservation) {
        return jdbc().sql(AGGREGATES_QUERY + " WHERE name = :name")
                .param("name", reservation.toString())
                .query(SimulatedCloud::aggregate)
                .optional();
    }

    /** Returns the hosts that no reservation has. */
    public List<String> freepool() {
        return jdbc().sql("SELECT host FROM aggregate_host WHERE aggregate = :pool ORDER BY host")
                .param("pool", CloudStore.FREEPOOL)
                .query(String.class)
                .list();
    }

    /** Returns all servers, sorted by name. */
    public List<Server> servers() {
        return jdbc().sql("SELECT * FROM server ORDER BY name, id").query(HostTable::server).list();
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
        UUID id = UUID.randomUUID();
        Map<String, ?> request = Map.of("template", template);
        connections.runInTransaction(
                () ->
                        new StackTable(connections)
                                .create(
                                        new SimulatedStack(
                                                id,
                                                name,
                                                project,
                                                JSON.writeValueAsString(request),
                                                SimulatedStack.State.COMPLETE,
                                                new TreeMap<>(),
                                                null),
                                        SimulatedTemplate.of(request).elements(),
                                        Map.of()));
        return id;
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
        return jdbc().sql("SELECT * FROM slots ORDER BY host, reservation")
                .query(
                        (row, number) ->
                                new Slots(
                                        new ReservationId(row.getObject("reservation", UUID.class)),
                                        row.getString("host"),
                                        row.getInt("slots")))
                .list();
    }

    /** Returns all images, sorted by name. */
    public List<Image> images() {
        return jdbc().sql("SELECT * FROM image ORDER BY name, id")
                .query(
                        (row, number) ->
                                new Image(
                                        row.getObject("id", UUID.class),
                                        row.getString("name"),
                                        row.getObject("server", UUID.class),
                                        new ProjectId(row.getString("project")),
                                        new ReservationId(
                                                row.getObject("reservation", UUID.class))))
                .list();
    }

    /** Returns all changes that took effect, in order. */
    public List<Effect> effects() {
        return jdbc().sql("SELECT * FROM effect ORDER BY id").query(SimulatedCloud::effect).list();
    }

    /** Returns the changes that took effect for one reservation, in order. */
    public List<Effect> effects(ReservationId reservation) {
        return jdbc().sql("SELECT * FROM effect WHERE reservation = :reservation ORDER BY id")
                .param("reservation", reservation.value())
                .query(SimulatedCloud::effect)
                .list();
    }

    /**
     * Boots a server as a user does, with the scheduler hint {@code reservation=<id>}.
     *
     * @return empty if the scheduler finds no host: the reservation has none, or is another
     *     project's
     */
    public Optional<Server> boot(String name, ProjectId project, ReservationId reservation) {
        return insert(
                """
                SELECT h.hypervisor_hostname FROM host h
                JOIN aggregate_host own ON own.host = h.hypervisor_hostname
                JOIN aggregate a ON a.name = own.aggregate
                WHERE a.name = CAST(:reservation AS text)
                  AND a.metadata ->> 'blazar:owner' = :project
                  AND h.up
                  AND NOT EXISTS (SELECT FROM aggregate_host pool
                                  WHERE pool.host = own.host AND pool.aggregate = 'freepool')
                ORDER BY (SELECT count(*) FROM server s WHERE s.host = own.host), h.id
                LIMIT 1 FOR UPDATE OF h
                """,
                new Boot(name, project, reservation, ""));
    }

    /**
     * Boots a server on a host of the pool; it is deleted if a lease needs the host.
     *
     * @return empty if the host is not in the pool
     */
    public Optional<Server> bootPreemptible(String name, ProjectId project, String host) {
        return insert(
                """
                SELECT h.hypervisor_hostname FROM host h
                WHERE h.hypervisor_hostname = :host AND h.up
                  AND (SELECT array_agg(a.aggregate) FROM aggregate_host a
                       WHERE a.host = h.hypervisor_hostname) = ARRAY['freepool']
                FOR UPDATE OF h
                """,
                new Boot(name, project, null, host));
    }

    /** Changes the memory of a host, in MiB. */
    public void setMemory(String host, int memoryMb) {
        jdbc().sql("UPDATE host SET memory_mb = :memory WHERE hypervisor_hostname = :host")
                .param("memory", memoryMb)
                .param("host", host)
                .update();
    }

    /** Breaks a host, or repairs it. */
    public void setHostUp(String host, boolean up) {
        jdbc().sql("UPDATE host SET up = :up WHERE hypervisor_hostname = :host")
                .param("up", up)
                .param("host", host)
                .update();
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

    private Optional<Server> insert(String chooseHost, Boot boot) {
        return connections.inTransaction(
                () -> lockHost(chooseHost, boot).map(host -> insert(boot, host)));
    }

    /**
     * Repeats the choice until it is confirmed. A statement that waited for the host's lock has
     * seen the old aggregates. The next statement sees them as they are under the lock.
     */
    private Optional<String> lockHost(String chooseHost, Boot boot) {
        Optional<String> chosen = selectHost(chooseHost, boot);
        Optional<String> confirmed = selectHost(chooseHost, boot);
        while (!confirmed.equals(chosen)) {
            chosen = confirmed;
            confirmed = selectHost(chooseHost, boot);
        }
        return confirmed;
    }

    private Optional<String> selectHost(String chooseHost, Boot boot) {
        JdbcClient.StatementSpec query = jdbc().sql(chooseHost);
        if (boot.reservation() == null) {
            return query.param("host", boot.host()).query(String.class).optional();
        }
        return query.param("reservation", boot.reservation().toString())
                .param("project", boot.project().value())
                .query(String.class)
                .optional();
    }

    private Server insert(Boot boot, String host) {
        return jdbc().sql(
                        """
                        INSERT INTO server (name, project, host, reservation)
                        VALUES (:name, :project, :host, CAST(:reservation AS uuid)) RETURNING *
                        """)
                .param("name", boot.name())
                .param("project", boot.project().value())
                .param("host", host)
                .param(
                        "reservation",
                        boot.reservation() == null ? null : boot.reservation().toString())
                .query(HostTable::server)
                .single();
    }

    private JdbcClient jdbc() {
        return connections.jdbc();
    }

    private static Aggregate aggregate(ResultSet row, int number) throws SQLException {
        return new Aggregate(
                row.getString("name"),
                row.getString("zone"),
                JSON.readValue(row.getString("metadata"), STRING_MAP_TYPE),
                List.of((String[]) row.getArray("hosts").getArray()));
    }

    private static Effect effect(ResultSet row, int number) throws SQLException {
        return new Effect(
                row.getObject("at", OffsetDateTime.class).toInstant(),
                row.getString("operation"),
                HostTable.reservation(row),
                row.getString("host"));
    }

    private record Boot(
            String name, ProjectId project, @Nullable ReservationId reservation, String host) {}

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
