package org.leasehold.query.resource;

import org.jspecify.annotations.Nullable;
import org.leasehold.history.RecordedEvent;
import org.leasehold.query.rebuild.Rebuildable;
import org.leasehold.query.resource.InventoryFold.PropertyRow;
import org.leasehold.query.resource.InventoryFold.ResourceRow;
import org.springframework.jdbc.core.JdbcTemplate;

import tools.jackson.databind.json.JsonMapper;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;

/**
 * The tables of resources and their properties. They are corrected in place: claims refer to their
 * rows, and grants store their versions. Correct rows are not changed.
 */
final class RebuildableInventory implements Rebuildable {

    private static final int BATCH_SIZE = 500;

    private static final String CREATE_RESOURCE_TABLE =
            "CREATE TEMPORARY TABLE resource_rebuilt (LIKE resource) ON COMMIT DROP";
    private static final String INSERT_RESOURCE =
            """
            INSERT INTO resource_rebuilt (resource_id, kind, name, region, zone, state,
                disabled_reason, attributes, capabilities, created_at, updated_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?::jsonb, ?::jsonb, ?, ?)
            """;

    // Names are unique among resources that are not retired: two that change theirs must not
    // collide halfway.
    private static final String REPAIR_RESOURCES =
            """
            DELETE FROM resource WHERE resource_id NOT IN (SELECT resource_id FROM resource_rebuilt);
            UPDATE resource r SET state = 'RETIRED' FROM resource_rebuilt n
            WHERE n.resource_id = r.resource_id AND (n.kind, n.name) IS DISTINCT FROM (r.kind, r.name);
            INSERT INTO resource AS r SELECT * FROM resource_rebuilt
            ON CONFLICT (resource_id) DO UPDATE
            SET kind = excluded.kind, name = excluded.name, region = excluded.region,
                zone = excluded.zone, state = excluded.state,
                disabled_reason = excluded.disabled_reason, attributes = excluded.attributes,
                capabilities = excluded.capabilities, created_at = excluded.created_at,
                updated_at = excluded.updated_at
            WHERE (r.*) IS DISTINCT FROM (excluded.*)
            """;

    private static final String CREATE_PROPERTY_TABLE =
            "CREATE TEMPORARY TABLE property_rebuilt (LIKE resource_property) ON COMMIT DROP";
    private static final String INSERT_PROPERTY =
            """
            INSERT INTO property_rebuilt (property_id, kind, name, hidden, created_at, updated_at)
            VALUES (?, ?, ?, ?, ?, ?)
            """;
    private static final String REPAIR_PROPERTIES =
            """
            DELETE FROM resource_property WHERE (property_id, kind, name) NOT IN
                (SELECT property_id, kind, name FROM property_rebuilt);
            INSERT INTO resource_property AS p SELECT * FROM property_rebuilt
            ON CONFLICT (property_id) DO UPDATE
            SET hidden = excluded.hidden, created_at = excluded.created_at,
                updated_at = excluded.updated_at
            WHERE (p.*) IS DISTINCT FROM (excluded.*)
            """;

    private static final JsonMapper JSON = new JsonMapper();

    private final JdbcTemplate jdbc;

    RebuildableInventory(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    @Override
    public String name() {
        return "resources";
    }

    @Override
    public Draft begin() {
        return new Mended(jdbc, new InventoryFold());
    }

    private record Mended(JdbcTemplate jdbc, InventoryFold inventory) implements Draft {

        @Override
        public void apply(List<RecordedEvent> events) {
            events.forEach(inventory::apply);
        }

        /** Blocks locks and writes of resources; readers continue. */
        @Override
        public void lockBeforeAppends() {
            jdbc.execute("LOCK TABLE resource, resource_property IN EXCLUSIVE MODE");
        }

        @Override
        public void replace() {
            jdbc.execute(CREATE_RESOURCE_TABLE);
            jdbc.batchUpdate(
                    INSERT_RESOURCE,
                    inventory.resources().entrySet(),
                    BATCH_SIZE,
                    (statement, entry) -> {
                        ResourceRow row = entry.getValue();
                        statement.setLong(1, entry.getKey().value());
                        statement.setString(2, row.kind().value());
                        statement.setString(3, row.name());
                        statement.setString(4, row.region());
                        statement.setString(5, row.zone());
                        statement.setString(6, row.state());
                        statement.setString(7, row.disabledReason());
                        statement.setString(8, JSON.writeValueAsString(row.attributes()));
                        statement.setString(9, JSON.writeValueAsString(row.capabilities()));
                        statement.setObject(10, utc(row.createdAt()));
                        statement.setObject(11, utc(row.updatedAt()));
                    });
            jdbc.execute(REPAIR_RESOURCES);
            jdbc.execute(CREATE_PROPERTY_TABLE);
            jdbc.batchUpdate(
                    INSERT_PROPERTY,
                    inventory.properties().entrySet(),
                    BATCH_SIZE,
                    (statement, entry) -> {
                        PropertyRow row = entry.getValue();
                        statement.setObject(1, entry.getKey());
                        statement.setString(2, row.kind().value());
                        statement.setString(3, row.name());
                        statement.setBoolean(4, row.hidden());
                        statement.setObject(5, utc(row.createdAt()));
                        statement.setObject(6, utc(row.updatedAt()));
                    });
            jdbc.execute(REPAIR_PROPERTIES);
        }

        private static @Nullable OffsetDateTime utc(@Nullable Instant instant) {
            return instant == null ? null : instant.atOffset(ZoneOffset.UTC);
        }
    }
}
