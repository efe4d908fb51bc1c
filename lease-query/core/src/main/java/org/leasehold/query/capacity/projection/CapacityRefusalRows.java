package org.leasehold.query.capacity.projection;

import org.leasehold.history.DerivedRows;
import org.leasehold.history.RecordedEvent;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.query.account.ResourceKinds;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/** The expected refusals, from the events up to the table's position. */
final class CapacityRefusalRows implements DerivedRows {

    private final ResourceKinds kinds;

    CapacityRefusalRows(ResourceKinds kinds) {
        this.kinds = kinds;
    }

    @Override
    public String table() {
        return CapacityProjection.REFUSAL;
    }

    @Override
    public Subject subject() {
        return Subject.LEASE;
    }

    @Override
    public String query() {
        return """
        SELECT r.*, p.wish AS pool_text FROM capacity_refusal r LEFT JOIN capacity_pool p ON p.pool_id = r.wish
        ORDER BY lease_id
        """;
    }

    @Override
    public Row parseRow(ResultSet row) throws SQLException {
        return new Row(
                "refused at %s, %s".formatted(row.getLong("position"), row.getInt("number")),
                Map.of(
                        "kind", row.getString("kind"),
                        "wish", requestText(row),
                        "unmet", row.getString("unmet"),
                        "starts", CapacityEvents.instant(row, "starts").toString(),
                        "ends", CapacityEvents.instant(row, "ends").toString()));
    }

    /** Returns the request; if it has a pool, from the pool's text. */
    private static String requestText(ResultSet row) throws SQLException {
        String poolText = row.getString("pool_text");
        return poolText == null
                ? row.getString("wish")
                : CapacityPool.ofRequest(new ResourceKind(row.getString("kind")), poolText)
                        .id()
                        .toString();
    }

    @Override
    public List<Row> expectedRows(List<RecordedEvent> life, Moment moment) {
        return RefusedRequest.fromEvents(CapacityEvents.of(life, moment), 0, kinds).stream()
                .map(CapacityRefusalRows::row)
                .toList();
    }

    private static Row row(RefusedRequest refusal) {
        return new Row(
                "refused at %s, %s".formatted(refusal.position(), refusal.number()),
                Map.of(
                        "kind", refusal.kind().value(),
                        "wish", refusal.pool().id().toString(),
                        "unmet", Integer.toString(refusal.unmet()),
                        "starts", refusal.period().start().toString(),
                        "ends", refusal.period().end().toString()));
    }
}
