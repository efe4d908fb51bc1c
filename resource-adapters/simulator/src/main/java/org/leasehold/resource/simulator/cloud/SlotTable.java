package org.leasehold.resource.simulator.cloud;

import org.leasehold.resource.simulator.CloudConnections;
import org.leasehold.vocabulary.ReservationId;

import java.util.List;
import java.util.UUID;

/** The reserved slots on hosts of the simulated cloud. */
record SlotTable(CloudConnections connections) {

    /** Returns the reserved slots of all hosts, sorted by host. */
    List<SimulatedCloud.Slots> all() {
        return connections
                .jdbc()
                .sql("SELECT * FROM slots ORDER BY host, reservation")
                .query(
                        (row, _) ->
                                new SimulatedCloud.Slots(
                                        new ReservationId(row.getObject("reservation", UUID.class)),
                                        row.getString("host"),
                                        row.getInt("slots")))
                .list();
    }
}
