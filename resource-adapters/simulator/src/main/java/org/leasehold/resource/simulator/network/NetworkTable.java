package org.leasehold.resource.simulator.network;

import org.leasehold.resource.network.Segment;
import org.leasehold.resource.simulator.CloudConnections;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;
import org.springframework.jdbc.core.simple.JdbcClient;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The simulated cloud's networks, each on its own segment. */
public final class NetworkTable {

    private final CloudConnections connections;

    public NetworkTable(CloudConnections connections) {
        this.connections = connections;
    }

    /** Returns all networks, sorted by segment. */
    public List<SimulatedNetwork> all() {
        return jdbc().sql("SELECT * FROM network ORDER BY segment")
                .query(NetworkTable::network)
                .list();
    }

    List<SimulatedNetwork> findByReservation(ReservationId reservation) {
        return jdbc().sql("SELECT * FROM network WHERE reservation = :reservation ORDER BY segment")
                .param("reservation", reservation.value())
                .query(NetworkTable::network)
                .list();
    }

    Optional<SimulatedNetwork> find(Segment segment) {
        return jdbc().sql("SELECT * FROM network WHERE segment = :segment")
                .param("segment", segment.name())
                .query(NetworkTable::network)
                .optional();
    }

    /** Creates a network; does nothing if the segment is taken. */
    public int create(SimulatedNetwork network) {
        ReservationId reservation = network.reservation();
        return jdbc().sql(
                        """
                        INSERT INTO network (segment, name, description, project, reservation)
                        VALUES (:segment, :name, :description, :project, CAST(:reservation AS uuid))
                        ON CONFLICT DO NOTHING
                        """)
                .param("segment", network.segment().name())
                .param("name", network.name())
                .param("description", network.description())
                .param("project", network.project().value())
                .param("reservation", reservation == null ? null : reservation.toString())
                .update();
    }

    /** Deletes a network of a reservation. */
    int delete(Segment segment, ReservationId reservation) {
        return jdbc().sql(
                        "DELETE FROM network WHERE segment = :segment AND reservation ="
                                + " :reservation")
                .param("segment", segment.name())
                .param("reservation", reservation.value())
                .update();
    }

    private static SimulatedNetwork network(ResultSet row, int number) throws SQLException {
        UUID reservation = row.getObject("reservation", UUID.class);
        return new SimulatedNetwork(
                Segment.fromName(row.getString("segment")).orElseThrow(),
                row.getString("name"),
                row.getString("description"),
                new ProjectId(row.getString("project")),
                reservation == null ? null : new ReservationId(reservation));
    }

    private JdbcClient jdbc() {
        return connections.jdbc();
    }
}
