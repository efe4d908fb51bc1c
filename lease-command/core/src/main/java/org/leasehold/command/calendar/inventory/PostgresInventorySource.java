package org.leasehold.command.calendar.inventory;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.Allocation;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.ResultSetExtractor;

import tools.jackson.databind.json.JsonMapper;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** All resources that are not retired, in PostgreSQL. */
public final class PostgresInventorySource implements InventoryCache.Source {

    // Only an update of the row changes xmin; locks do not.
    private static final String SELECT_RESOURCES =
            """
            SELECT v.version, r.resource_id, r.kind, r.name, r.region, r.zone, r.state,
                   r.xmin::text::bigint AS marker,
                   r.attributes::text AS attributes, r.capabilities::text AS capabilities
            FROM inventory_version v LEFT JOIN resource r ON r.state <> 'RETIRED'
            ORDER BY r.resource_id
            """;

    private final JdbcTemplate jdbc;
    private final JsonMapper json = JsonMapper.builder().build();

    public PostgresInventorySource(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    @Override
    public InventorySnapshot read(InventorySnapshot before) {
        return Objects.requireNonNull(
                jdbc.query(
                        SELECT_RESOURCES,
                        (ResultSetExtractor<InventorySnapshot>) rows -> read(rows, before)));
    }

    private InventorySnapshot read(ResultSet rows, InventorySnapshot before) throws SQLException {
        long version = -1;
        List<CachedResource> resources = new ArrayList<>();
        while (rows.next()) {
            version = rows.getLong("version");
            long id = rows.getLong("resource_id");
            if (!rows.wasNull()) {
                resources.add(resource(new ResourceId(id), rows, before));
            }
        }
        return new InventorySnapshot(version, resources);
    }

    private CachedResource resource(ResourceId id, ResultSet row, InventorySnapshot before)
            throws SQLException {
        long marker = row.getLong("marker");
        @Nullable CachedResource known = before.find(id).orElse(null);
        if (known != null && known.marker() == marker) {
            return known;
        }
        return CachedResource.of(
                new ResourceKind(row.getString("kind")),
                new Allocation(id, row.getString("name"), Map.of()),
                new CachedResource.Location(row.getString("region"), row.getString("zone")),
                json.readTree(row.getString("attributes")),
                json.readTree(row.getString("capabilities")),
                row.getString("state").equals("ENROLLED"),
                marker);
    }
}
