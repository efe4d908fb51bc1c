package org.leasehold.query.resource;

import org.jspecify.annotations.Nullable;
import org.leasehold.history.DerivedRows;
import org.leasehold.history.RecordedEvent;
import org.leasehold.query.resource.InventoryFold.ResourceRow;

import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The expected rows of the table of resources, from the events. */
final class ResourceRows implements DerivedRows {

    private static final JsonMapper SORTED =
            JsonMapper.builder()
                    .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                    .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
                    .build();

    @Override
    public String table() {
        return "resource";
    }

    @Override
    public Subject subject() {
        return Subject.INVENTORY;
    }

    @Override
    public String query() {
        return """
        SELECT resource_id, kind, name, region, zone, state, disabled_reason,
               attributes, capabilities, created_at, updated_at
        FROM resource
        """;
    }

    @Override
    public Row parseRow(ResultSet row) throws SQLException {
        Map<String, String> columns = new TreeMap<>();
        columns.put("kind", row.getString(2));
        columns.put("name", row.getString(3));
        columns.put("region", text(row.getString(4)));
        columns.put("zone", text(row.getString(5)));
        columns.put("state", row.getString(6));
        columns.put("disabled_reason", text(row.getString(7)));
        columns.put("attributes", sorted(row.getString(8)));
        columns.put("capabilities", sorted(row.getString(9)));
        columns.put("created_at", text(instant(row, 10)));
        columns.put("updated_at", text(instant(row, 11)));
        return new Row("resource " + row.getLong(1), columns);
    }

    @Override
    public List<Row> expectedRows(List<RecordedEvent> events, Moment moment) {
        InventoryFold inventory = new InventoryFold();
        events.forEach(inventory::apply);
        List<Row> rows = new ArrayList<>();
        inventory
                .resources()
                .forEach((id, resource) -> rows.add(new Row("resource " + id, columns(resource))));
        return rows;
    }

    private static Map<String, String> columns(ResourceRow resource) {
        Map<String, String> columns = new TreeMap<>();
        columns.put("kind", resource.kind().value());
        columns.put("name", resource.name());
        columns.put("region", text(resource.region()));
        columns.put("zone", text(resource.zone()));
        columns.put("state", resource.state());
        columns.put("disabled_reason", text(resource.disabledReason()));
        columns.put("attributes", sorted(SORTED.writeValueAsString(resource.attributes())));
        columns.put("capabilities", sorted(SORTED.writeValueAsString(resource.capabilities())));
        columns.put("created_at", text(resource.createdAt()));
        columns.put("updated_at", text(resource.updatedAt()));
        return columns;
    }

    private static String sorted(String json) {
        return SORTED.writeValueAsString(SORTED.readValue(json, Map.class));
    }

    static String text(@Nullable Object value) {
        return value == null ? "null" : value.toString();
    }

    static @Nullable Instant instant(ResultSet row, int column) throws SQLException {
        @Nullable OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
        return time == null ? null : time.toInstant();
    }
}
