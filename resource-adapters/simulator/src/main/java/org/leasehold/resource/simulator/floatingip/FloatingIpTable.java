package org.leasehold.resource.simulator.floatingip;

import org.jspecify.annotations.Nullable;
import org.leasehold.resource.floatingip.FloatingIp;
import org.leasehold.resource.floatingip.Subnet;
import org.leasehold.resource.simulator.CloudConnections;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;
import org.springframework.jdbc.core.simple.JdbcClient;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The simulated cloud's subnets and floating IPs. */
public final class FloatingIpTable {

    private final CloudConnections connections;

    public FloatingIpTable(CloudConnections connections) {
        this.connections = connections;
    }

    /** Returns the subnets of a network; none if there is no such network. */
    List<Subnet> subnets(String network) {
        return jdbc().sql("SELECT * FROM subnet WHERE network = :network ORDER BY id")
                .param("network", network)
                .query(
                        (row, number) ->
                                new Subnet(
                                        row.getString("id"),
                                        row.getString("cidr"),
                                        row.getString("gateway"),
                                        List.of(
                                                new Subnet.Pool(
                                                        row.getString("pool_first"),
                                                        row.getString("pool_last")))))
                .list();
    }

    /** Returns all floating IPs, sorted by network and address. */
    public List<SimulatedFloatingIp> all() {
        return jdbc().sql("SELECT * FROM floating_ip ORDER BY network, CAST(address AS inet)")
                .query(FloatingIpTable::floatingIp)
                .list();
    }

    List<SimulatedFloatingIp> findByReservation(ReservationId reservation) {
        return all().stream().filter(ip -> reservation.equals(ip.reservation())).toList();
    }

    Optional<SimulatedFloatingIp> find(FloatingIp ip) {
        return jdbc().sql(
                        "SELECT * FROM floating_ip WHERE network = :network AND address = :address")
                .param("network", ip.network())
                .param("address", ip.address())
                .query(FloatingIpTable::floatingIp)
                .optional();
    }

    /** Creates a floating IP; does nothing if the address is taken. */
    public int create(FloatingIp ip, ProjectId project, @Nullable ReservationId reservation) {
        return jdbc().sql(
                        """
                        INSERT INTO floating_ip (network, address, project, reservation)
                        VALUES (:network, :address, :project, CAST(:reservation AS uuid))
                        ON CONFLICT DO NOTHING
                        """)
                .param("network", ip.network())
                .param("address", ip.address())
                .param("project", project.value())
                .param("reservation", reservation == null ? null : reservation.toString())
                .update();
    }

    /** Deletes a floating IP of a reservation. */
    int delete(FloatingIp ip, ReservationId reservation) {
        return jdbc().sql(
                        """
                        DELETE FROM floating_ip
                        WHERE network = :network AND address = :address
                          AND reservation = :reservation
                        """)
                .param("network", ip.network())
                .param("address", ip.address())
                .param("reservation", reservation.value())
                .update();
    }

    private static SimulatedFloatingIp floatingIp(ResultSet row, int number) throws SQLException {
        UUID reservation = row.getObject("reservation", UUID.class);
        return new SimulatedFloatingIp(
                new FloatingIp(row.getString("network"), row.getString("address")),
                new ProjectId(row.getString("project")),
                reservation == null ? null : new ReservationId(reservation));
    }

    private JdbcClient jdbc() {
        return connections.jdbc();
    }
}
