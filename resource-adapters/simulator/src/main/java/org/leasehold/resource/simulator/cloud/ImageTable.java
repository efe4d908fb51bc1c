package org.leasehold.resource.simulator.cloud;

import org.leasehold.resource.simulator.CloudConnections;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;

import java.util.List;
import java.util.UUID;

/** The images of servers in the simulated cloud. */
record ImageTable(CloudConnections connections) {

    /** Returns all images, sorted by name. */
    List<SimulatedCloud.Image> all() {
        return connections
                .jdbc()
                .sql("SELECT * FROM image ORDER BY name, id")
                .query(
                        (row, _) ->
                                new SimulatedCloud.Image(
                                        row.getObject("id", UUID.class),
                                        row.getString("name"),
                                        row.getObject("server", UUID.class),
                                        new ProjectId(row.getString("project")),
                                        new ReservationId(
                                                row.getObject("reservation", UUID.class))))
                .list();
    }
}
