package org.leasehold.command.calendar.verification;

import org.leasehold.history.DerivedRows;
import org.leasehold.history.RecordedEvent;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The expected holders of the resources of a lease, with their tenures, from its events. */
final class HolderRows implements DerivedRows {

    @Override
    public String table() {
        return "holder";
    }

    @Override
    public Subject subject() {
        return Subject.LEASE;
    }

    @Override
    public String query() {
        return "SELECT lease_id, resource_id, reservation_id, generation FROM holder"
                + " ORDER BY lease_id";
    }

    @Override
    public Row parseRow(ResultSet row) throws SQLException {
        return row(row.getLong(2), row.getString(3), row.getLong(4));
    }

    @Override
    public List<Row> expectedRows(List<RecordedEvent> life, Moment moment) {
        List<Row> rows = new ArrayList<>();
        LeaseCalendarProjection.of(life)
                .holders()
                .forEach(
                        (slot, tenure) ->
                                rows.add(
                                        row(
                                                slot.resource().value(),
                                                tenure.reservation().toString(),
                                                tenure.generation())));
        return rows;
    }

    private static Row row(long resource, String reservation, long generation) {
        return new Row(
                "reservation %s on resource %s".formatted(reservation, resource),
                Map.of("generation", Long.toString(generation)));
    }
}
