package org.leasehold.runtime.moving;

import org.leasehold.inventory.ResourceId;
import org.leasehold.vocabulary.LeaseId;
import org.springframework.jdbc.core.simple.JdbcClient;

import java.util.Set;

/** Facts of the engine's own database that an import needs and no query of the engine returns. */
public final class EngineDatabase {

    private final JdbcClient jdbc;

    public EngineDatabase(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * The facts.
     *
     * @param nodes the names of running nodes
     * @param retired the ids of resources that are retired for good
     * @param imported the ids of all leases ever imported
     */
    record Traces(Set<String> nodes, Set<ResourceId> retired, Set<LeaseId> imported) {}

    Traces read() {
        return new Traces(
                // A node updates its row every second, and deletes it when it stops.
                jdbc.sql("SELECT name FROM node WHERE seen_at > now() - interval '10 seconds'")
                        .query(String.class)
                        .set(),
                jdbc.sql("SELECT resource_id FROM resource WHERE state = 'RETIRED'")
                        .query((row, _) -> new ResourceId(row.getLong(1)))
                        .set(),
                jdbc.sql("SELECT stream_id FROM domain_event WHERE event_type = 'LeaseImported'")
                        .query((row, _) -> LeaseId.of(row.getString(1)))
                        .set());
    }
}
