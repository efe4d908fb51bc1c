package org.leasehold.runtime.moving;

import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.LeaseId;
import org.springframework.jdbc.core.simple.JdbcClient;

import java.util.Set;

/** What the engine's own database tells whoever moves in, and no question to the engine does. */
public final class OwnDatabase {

    private final JdbcClient jdbc;

    public OwnDatabase(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * What it tells.
     *
     * @param nodes the names of those that work
     * @param retired the ids of resources that do not come back
     * @param imported the leases that have come, whatever has become of them
     */
    record Traces(Set<String> nodes, Set<ResourceId> retired, Set<LeaseId> imported) {}

    Traces read() {
        return new Traces(
                // A node says so every second, and takes it back when it stops.
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
