package org.leasehold.resource.simulator.server;

import org.jspecify.annotations.Nullable;
import org.leasehold.resource.server.ComputeCapacity;
import org.leasehold.resource.simulator.CloudConnections;
import org.leasehold.resource.simulator.server.SimulatedServer.State;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;
import org.springframework.jdbc.core.simple.JdbcClient;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The simulated cloud's servers, in zones with limited room. */
public final class ServerTable {

    private final CloudConnections connections;

    public ServerTable(CloudConnections connections) {
        this.connections = connections;
    }

    /** Returns the total room of a zone; empty if there is no such zone. */
    Optional<ComputeCapacity> zone(String name) {
        return jdbc().sql("SELECT * FROM zone WHERE name = :name")
                .param("name", name)
                .query(
                        (row, _) ->
                                new ComputeCapacity(
                                        row.getString("name"),
                                        row.getLong("vcpus"),
                                        row.getLong("memory_mb"),
                                        row.getLong("disk_gb")))
                .optional();
    }

    public List<SimulatedServer> all() {
        return jdbc().sql("SELECT * FROM zone_server ORDER BY name, id")
                .query(ServerTable::server)
                .list();
    }

    List<SimulatedServer> findByReservation(ReservationId reservation) {
        return jdbc().sql("SELECT * FROM zone_server WHERE reservation = :reservation ORDER BY id")
                .param("reservation", reservation.value())
                .query(ServerTable::server)
                .list();
    }

    Optional<SimulatedServer> find(String id) {
        return jdbc().sql("SELECT * FROM zone_server WHERE id = CAST(:id AS uuid)")
                .param("id", id)
                .query(ServerTable::server)
                .optional();
    }

    public int create(SimulatedServer server) {
        return jdbc().sql(
                        """
                        INSERT INTO zone_server (id, zone, name, project, vcpus, memory_mb, disk_gb,
                                                 state)
                        VALUES (:id, :zone, :name, :project, :vcpus, :memory_mb, :disk_gb, :state)
                        """)
                .param("id", server.id())
                .param("zone", server.room().zone())
                .param("name", server.name())
                .param("project", server.project().value())
                .param("vcpus", server.room().vcpus())
                .param("memory_mb", server.room().memoryMb())
                .param("disk_gb", server.room().diskGb())
                .param("state", server.state().name())
                .update();
    }

    /** Unshelves a server to a zone, within a transaction; does nothing if the zone has no room. */
    int unshelve(SimulatedServer server, String zone) {
        jdbc().sql("SELECT name FROM zone WHERE name = :zone FOR UPDATE")
                .param("zone", zone)
                .query(String.class)
                .list();
        return jdbc().sql(
                        """
                        UPDATE zone_server s SET state = 'ACTIVE', zone = :zone
                        WHERE s.id = :id AND s.state = 'SHELVED_OFFLOADED' AND (
                            SELECT coalesce(sum(o.vcpus), 0) + s.vcpus <= z.vcpus
                               AND coalesce(sum(o.memory_mb), 0) + s.memory_mb <= z.memory_mb
                               AND coalesce(sum(o.disk_gb), 0) + s.disk_gb <= z.disk_gb
                            FROM zone z LEFT JOIN zone_server o
                                ON o.zone = z.name AND o.state <> 'SHELVED_OFFLOADED'
                            WHERE z.name = :zone GROUP BY z.name)
                        """)
                .param("id", server.id())
                .param("zone", zone)
                .update();
    }

    public int setState(UUID id, State state) {
        return jdbc().sql(
                        "UPDATE zone_server SET state = :state WHERE id = :id AND state <> :state")
                .param("state", state.name())
                .param("id", id)
                .update();
    }

    /**
     * Changes the reservation that has a server, if {@code from} still has it; null for none. As in
     * Nova, this does not work for a shelved server.
     */
    int changeReservation(UUID id, @Nullable ReservationId from, @Nullable ReservationId to) {
        return jdbc().sql(
                        """
                        UPDATE zone_server SET reservation = CAST(:to AS uuid)
                        WHERE id = :id AND reservation IS NOT DISTINCT FROM CAST(:from AS uuid)
                          AND state <> 'SHELVED_OFFLOADED'
                        """)
                .param("to", to == null ? null : to.toString())
                .param("id", id)
                .param("from", from == null ? null : from.toString())
                .update();
    }

    public int delete(UUID id) {
        return jdbc().sql("DELETE FROM zone_server WHERE id = :id").param("id", id).update();
    }

    int createImage(UUID server, ReservationId reservation) {
        return jdbc().sql(
                        """
                        INSERT INTO zone_server_image (server, reservation)
                        VALUES (:server, :reservation) ON CONFLICT DO NOTHING
                        """)
                .param("server", server)
                .param("reservation", reservation.value())
                .update();
    }

    public List<ReservationId> images(UUID server) {
        return jdbc()
                .sql("SELECT reservation FROM zone_server_image WHERE server = :server ORDER BY 1")
                .param("server", server)
                .query(UUID.class)
                .list()
                .stream()
                .map(ReservationId::new)
                .toList();
    }

    private static SimulatedServer server(ResultSet row, int number) throws SQLException {
        UUID reservation = row.getObject("reservation", UUID.class);
        return new SimulatedServer(
                row.getObject("id", UUID.class),
                row.getString("name"),
                new ProjectId(row.getString("project")),
                new ComputeCapacity(
                        row.getString("zone"),
                        row.getLong("vcpus"),
                        row.getLong("memory_mb"),
                        row.getLong("disk_gb")),
                State.valueOf(row.getString("state")),
                reservation == null ? null : new ReservationId(reservation));
    }

    private JdbcClient jdbc() {
        return connections.jdbc();
    }
}
