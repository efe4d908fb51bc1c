package org.leasehold.resource.simulator;

import org.jspecify.annotations.Nullable;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/** A store in the cloud's tables. */
public final class PostgresCloudStore implements CloudStore {

    private final CloudConnections connections;
    private final BehaviorRuleTable behaviours;
    private final HostTable hosts;

    public PostgresCloudStore(CloudConnections connections) {
        this.connections = connections;
        this.behaviours = new BehaviorRuleTable(connections);
        this.hosts = new HostTable(connections);
    }

    @Override
    public BehaviorRuleTable.Encounter applyRules(String operation, @Nullable String host) {
        return behaviours.applyRules(operation, host);
    }

    @Override
    public void change(
            String operation,
            @Nullable ReservationId reservation,
            @Nullable String host,
            Change change) {
        connections.runInTransaction(
                () -> {
                    if (host != null) {
                        lock(host);
                    }
                    if (change.execute() > 0) {
                        log(operation, reservation, host);
                    }
                });
    }

    /** Locks a host. So a server that boots at the same moment sees the change, or vice versa. */
    private void lock(String host) {
        jdbc().sql("SELECT id FROM host WHERE hypervisor_hostname = :host FOR UPDATE")
                .param("host", host)
                .query(Long.class)
                .list();
    }

    private void log(String operation, @Nullable ReservationId reservation, @Nullable String host) {
        jdbc().sql(
                        """
                        INSERT INTO effect (operation, reservation, host)
                        VALUES (:operation, CAST(:reservation AS uuid), :host)
                        """)
                .param("operation", operation)
                .param("reservation", reservation == null ? null : reservation.toString())
                .param("host", host)
                .update();
    }

    @Override
    public Optional<SimulatedHost> host(String nameOrId) {
        return hosts.find(nameOrId);
    }

    @Override
    public Map<String, SimulatedHost> hosts() {
        Map<String, SimulatedHost> byName = new HashMap<>();
        hosts.all().forEach(host -> byName.put(host.hypervisorHostname(), host));
        return byName;
    }

    @Override
    public List<SimulatedHost.Server> serversOn(String host) {
        return hosts.serversOn(host);
    }

    @Override
    public Map<String, Integer> serversByHost() {
        Map<String, Integer> servers = new HashMap<>();
        jdbc().sql("SELECT host, count(*) FROM server GROUP BY host")
                .query((row, _) -> servers.put(row.getString(1), row.getInt(2)))
                .list();
        return servers;
    }

    @Override
    public boolean hasAggregate(String name) {
        return jdbc().sql("SELECT count(*) > 0 FROM aggregate WHERE name = :name")
                .param("name", name)
                .query(Boolean.class)
                .single();
    }

    @Override
    public List<String> hostsOf(String aggregate) {
        return jdbc().sql("SELECT host FROM aggregate_host WHERE aggregate = :name ORDER BY host")
                .param("name", aggregate)
                .query(String.class)
                .list();
    }

    @Override
    public int createAggregate(ReservationId reservation, ProjectId project) {
        return jdbc().sql(
                        """
                        INSERT INTO aggregate (name, zone, metadata) VALUES (
                            :name, 'blazar_' || :name,
                            jsonb_build_object('blazar:owner', CAST(:project AS text)))
                        ON CONFLICT DO NOTHING
                        """)
                .param("name", reservation.toString())
                .param("project", project.value())
                .update();
    }

    @Override
    public int deleteAggregate(ReservationId reservation) {
        return jdbc().sql("DELETE FROM aggregate WHERE name = :name")
                .param("name", reservation.toString())
                .update();
    }

    @Override
    public List<ReservationId> reservations() {
        return jdbc()
                .sql("SELECT name FROM aggregate WHERE name <> :pool ORDER BY name")
                .param("pool", FREEPOOL)
                .query(String.class)
                .list()
                .stream()
                .map(ReservationId::of)
                .toList();
    }

    @Override
    public int addToAggregate(String aggregate, String host, boolean zoned) {
        try {
            return jdbc().sql(
                            """
                            INSERT INTO aggregate_host (aggregate, host, zoned)
                            VALUES (:aggregate, :host, :zoned)
                            ON CONFLICT (aggregate, host) DO NOTHING
                            """)
                    .param("aggregate", aggregate)
                    .param("host", host)
                    .param("zoned", zoned)
                    .update();
        } catch (DuplicateKeyException inOtherZone) {
            throw SimulatedCloudException.insufficientResources(
                    host, "is in another availability zone");
        }
    }

    @Override
    public int removeFromAggregate(String aggregate, String host) {
        return jdbc().sql(
                        "DELETE FROM aggregate_host WHERE aggregate = :aggregate AND host = :host")
                .param("aggregate", aggregate)
                .param("host", host)
                .update();
    }

    @Override
    public int deleteServer(UUID server) {
        return jdbc().sql("DELETE FROM server WHERE id = :id").param("id", server).update();
    }

    @Override
    public int moveServer(UUID server, String host) {
        return jdbc().sql(
                        """
                        UPDATE server s SET host = h.hypervisor_hostname FROM host h
                        WHERE s.id = :id AND h.hypervisor_hostname = :host AND h.up
                        """)
                .param("id", server)
                .param("host", host)
                .update();
    }

    @Override
    public List<SimulatedHost.Server> serversWithoutImage(ReservationId reservation) {
        return jdbc().sql(
                        """
                        SELECT s.* FROM server s JOIN aggregate_host a ON a.host = s.host
                        WHERE a.aggregate = :name
                          AND NOT EXISTS (SELECT FROM image i WHERE i.server = s.id)
                        ORDER BY s.name, s.id
                        """)
                .param("name", reservation.toString())
                .query(HostTable::server)
                .list();
    }

    @Override
    public int createImage(SimulatedHost.Server server, ReservationId reservation) {
        return jdbc().sql(
                        """
                        INSERT INTO image (name, server, project, reservation)
                        VALUES ('reserved_' || :name, :server, :project, :reservation)
                        ON CONFLICT (server) DO NOTHING
                        """)
                .param("name", server.name())
                .param("server", server.id())
                .param("project", server.project().value())
                .param("reservation", reservation.value())
                .update();
    }

    @Override
    public Optional<Whereabouts> findMemberships(String host, @Nullable ReservationId reservation) {
        return jdbc().sql(
                        """
                        SELECT h.up,
                               coalesce(bool_or(a.aggregate = :pool), false) AS in_pool,
                               coalesce(bool_or(a.aggregate = :own), false) AS in_own,
                               coalesce(
                                   min(a.aggregate) FILTER (WHERE a.aggregate NOT IN (:pool, :own)),
                                   (SELECT min(CAST(s.reservation AS text)) FROM slots s
                                    WHERE s.host = h.hypervisor_hostname)) AS other_owner
                        FROM host h LEFT JOIN aggregate_host a ON a.host = h.hypervisor_hostname
                        WHERE h.hypervisor_hostname = :host
                        GROUP BY h.id
                        """)
                .param("host", host)
                .param("pool", FREEPOOL)
                .param("own", Objects.toString(reservation, ""))
                .query(
                        (row, number) ->
                                new Whereabouts(
                                        row.getBoolean("up"),
                                        row.getBoolean("in_pool"),
                                        row.getBoolean("in_own"),
                                        row.getString("other_owner")))
                .optional();
    }

    private JdbcClient jdbc() {
        return connections.jdbc();
    }
}
