package org.leasehold.resource.simulator;

import org.jspecify.annotations.Nullable;
import org.leasehold.resource.simulator.SimulatedHost.Server;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;
import org.springframework.jdbc.core.simple.JdbcClient;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The hosts of the simulated cloud, and the servers on them. */
public final class HostTable {

    private final CloudConnections connections;

    public HostTable(CloudConnections connections) {
        this.connections = connections;
    }

    /** Returns all hosts, sorted by number. */
    public List<SimulatedHost> all() {
        return jdbc().sql("SELECT * FROM host ORDER BY id").query(HostTable::host).list();
    }

    /** Returns the host with exactly this name or this number. */
    public Optional<SimulatedHost> find(String nameOrId) {
        return jdbc().sql(
                        """
                        SELECT * FROM host
                        WHERE hypervisor_hostname = :name OR CAST(id AS text) = :name
                        ORDER BY hypervisor_hostname = :name DESC LIMIT 1
                        """)
                .param("name", nameOrId)
                .query(HostTable::host)
                .optional();
    }

    /** Returns the servers on a host, sorted by name. */
    public List<Server> serversOn(String host) {
        return jdbc().sql("SELECT * FROM server WHERE host = :host ORDER BY name, id")
                .param("host", host)
                .query(HostTable::server)
                .list();
    }

    /** Returns all servers, sorted by name. */
    public List<Server> servers() {
        return jdbc().sql("SELECT * FROM server ORDER BY name, id").query(HostTable::server).list();
    }

    /** Changes the memory of a host, in MiB. */
    public void setMemory(String host, int memoryMb) {
        jdbc().sql("UPDATE host SET memory_mb = :memory WHERE hypervisor_hostname = :host")
                .param("memory", memoryMb)
                .param("host", host)
                .update();
    }

    /** Breaks a host, or repairs it. */
    public void setUp(String host, boolean up) {
        jdbc().sql("UPDATE host SET up = :up WHERE hypervisor_hostname = :host")
                .param("up", up)
                .param("host", host)
                .update();
    }

    private JdbcClient jdbc() {
        return connections.jdbc();
    }

    private static SimulatedHost host(ResultSet row, int number) throws SQLException {
        return new SimulatedHost(
                row.getLong("id"),
                row.getString("hypervisor_hostname"),
                row.getString("service_name"),
                row.getString("hypervisor_type"),
                row.getInt("hypervisor_version"),
                row.getInt("vcpus"),
                row.getInt("memory_mb"),
                row.getInt("local_gb"),
                row.getString("cpu_info"),
                row.getString("zone"),
                row.getBoolean("up"));
    }

    public static Server server(ResultSet row, int number) throws SQLException {
        return new Server(
                row.getObject("id", UUID.class),
                row.getString("name"),
                new ProjectId(row.getString("project")),
                row.getString("host"),
                reservation(row),
                row.getString("state"));
    }

    public static @Nullable ReservationId reservation(ResultSet row) throws SQLException {
        @Nullable UUID id = row.getObject("reservation", UUID.class);
        return id == null ? null : new ReservationId(id);
    }
}
