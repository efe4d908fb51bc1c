package org.leasehold.resource.simulator.cloud;

import org.leasehold.resource.simulator.CloudConnections;
import org.leasehold.resource.simulator.HostTable;
import org.leasehold.vocabulary.ReservationId;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.List;

/** The changes of the simulated cloud that took effect. */
final class EffectTable {

    private final CloudConnections connections;

    EffectTable(CloudConnections connections) {
        this.connections = connections;
    }

    /** Returns all changes that took effect, in order. */
    List<SimulatedCloud.Effect> all() {
        return connections
                .jdbc()
                .sql("SELECT * FROM effect ORDER BY id")
                .query(EffectTable::effect)
                .list();
    }

    /** Returns the changes that took effect for one reservation, in order. */
    List<SimulatedCloud.Effect> find(ReservationId reservation) {
        return connections
                .jdbc()
                .sql("SELECT * FROM effect WHERE reservation = :reservation ORDER BY id")
                .param("reservation", reservation.value())
                .query(EffectTable::effect)
                .list();
    }

    private static SimulatedCloud.Effect effect(ResultSet row, int number) throws SQLException {
        return new SimulatedCloud.Effect(
                row.getObject("at", OffsetDateTime.class).toInstant(),
                row.getString("operation"),
                HostTable.reservation(row),
                row.getString("host"));
    }
}
