package org.leasehold.query.resource;

import org.leasehold.history.DerivedRows;
import org.leasehold.history.RecordedEvent;
import org.leasehold.query.resource.InventoryFold.PropertyRow;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The expected rows of the table of resources' properties, from the events. */
final class PropertyRows implements DerivedRows {

    @Override
    public String table() {
        return "resource_property";
    }

    @Override
    public Subject subject() {
        return Subject.INVENTORY;
    }

    @Override
    public String query() {
        return "SELECT property_id, kind, name, hidden, created_at, updated_at"
                + " FROM resource_property";
    }

    @Override
    public Row parseRow(ResultSet row) throws SQLException {
        return new Row(
                "property " + row.getString(1),
                Map.of(
                        "kind", row.getString(2),
                        "name", row.getString(3),
                        "hidden", Boolean.toString(row.getBoolean(4)),
                        "created_at", ResourceRows.text(ResourceRows.instant(row, 5)),
                        "updated_at", ResourceRows.text(ResourceRows.instant(row, 6))));
    }

    @Override
    public List<Row> expectedRows(List<RecordedEvent> events, Moment moment) {
        InventoryFold inventory = new InventoryFold();
        events.forEach(inventory::apply);
        List<Row> rows = new ArrayList<>();
        inventory
                .properties()
                .forEach((id, property) -> rows.add(new Row("property " + id, columns(property))));
        return rows;
    }

    private static Map<String, String> columns(PropertyRow property) {
        return Map.of(
                "kind", property.kind().value(),
                "name", property.name(),
                "hidden", Boolean.toString(property.hidden()),
                "created_at", property.createdAt().toString(),
                "updated_at", ResourceRows.text(property.updatedAt()));
    }
}
