package org.leasehold.command.inventory;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.leasehold.command.inventory.ResourceDecision.Accepted;
import org.leasehold.inventory.ResourceCommand;
import org.leasehold.inventory.ResourceCommand.EnrolResource;
import org.leasehold.inventory.ResourceEvent;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;

import java.io.IOException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** The tables of resources, which are empty before each test. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class PostgresInventoryFixture {

    static final Instant NOW = Instant.parse("2026-11-21T00:33:00Z");
    static final UUID NIGHTLY = new UUID(0, 1);

    final InventoryDatabase database = new InventoryDatabase();
    private final Map<ResourceId, Resource> resources = new HashMap<>();

    @AfterAll
    void stop() throws IOException {
        database.close();
    }

    @BeforeEach
    void empty() {
        resources.clear();
        database.jdbc.sql("TRUNCATE claim, holder, resource, resource_property").update();
    }

    ResourceDecision enrol(long id, Map<String, String> capabilities) {
        return enrol(id, "compute-" + id, capabilities);
    }

    ResourceDecision enrol(long id, String name, Map<String, String> capabilities) {
        return send(
                new EnrolResource(
                        new ResourceId(id),
                        ResourceKind.PHYSICAL_HOST,
                        name,
                        null,
                        "nova",
                        Map.of("vcpus", 8),
                        capabilities));
    }

    ResourceDecision send(ResourceCommand command) {
        return send(command, NOW);
    }

    ResourceDecision send(ResourceCommand command, Instant now) {
        Resource resource;
        synchronized (resources) {
            resource = resources.getOrDefault(command.resourceId(), new Resource.Absent());
        }
        ResourceDecision decision = database.send(command, resource, now);
        if (decision instanceof Accepted(List<ResourceEvent> events)) {
            for (ResourceEvent event : events) {
                resource = resource.evolve(event);
            }
            synchronized (resources) {
                resources.put(command.resourceId(), resource);
            }
        }
        return decision;
    }

    Map<String, Object> row(long id) {
        return database.jdbc
                .sql(
                        """
                        SELECT kind, name, region, zone, state, disabled_reason,
                               attributes::text AS attributes, capabilities::text AS capabilities,
                               created_at, updated_at
                          FROM resource WHERE resource_id = ?
                        """)
                .param(id)
                .query(
                        (row, number) -> {
                            Map<String, Object> values = new HashMap<>();
                            for (String column :
                                    List.of(
                                            "kind",
                                            "name",
                                            "region",
                                            "zone",
                                            "state",
                                            "disabled_reason",
                                            "attributes",
                                            "capabilities")) {
                                values.put(column, row.getString(column));
                            }
                            values.put("created", row.getTimestamp("created_at").toInstant());
                            var updated = row.getTimestamp("updated_at");
                            values.put("updated", updated == null ? null : updated.toInstant());
                            return values;
                        })
                .single();
    }

    Map<String, Map<String, Object>> properties() {
        Map<String, Map<String, Object>> properties = new HashMap<>();
        database.jdbc
                .sql("SELECT * FROM resource_property")
                .query(
                        row -> {
                            Map<String, Object> values = new HashMap<>();
                            values.put("property_id", row.getString("property_id"));
                            values.put("hidden", row.getBoolean("hidden"));
                            values.put("created", row.getTimestamp("created_at").toInstant());
                            var updated = row.getTimestamp("updated_at");
                            values.put("updated", updated == null ? null : updated.toInstant());
                            properties.put(row.getString("name"), values);
                        });
        return properties;
    }
}
