package org.leasehold.query.capacity.projection;

import org.jspecify.annotations.Nullable;
import org.leasehold.history.DerivedRows;
import org.leasehold.history.RecordedEvent;
import org.leasehold.inventory.ResourceEvent;

import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The expected states of resources, from the events up to the table's position. */
final class CapacityMemberRows implements DerivedRows {

    private static final ObjectReader TOTALS =
            new JsonMapper().readerFor(new TypeReference<TreeMap<String, Long>>() {});

    @Override
    public String table() {
        return CapacityProjection.MEMBER;
    }

    @Override
    public Subject subject() {
        return Subject.INVENTORY;
    }

    @Override
    public String query() {
        return """
        SELECT m.*, p.kind, p.region, p.zone
        FROM capacity_member m LEFT JOIN capacity_pool p USING (pool_id)
        """;
    }

    @Override
    public Row parseRow(ResultSet row) throws SQLException {
        return new Row(
                key(row.getLong("resource_id"), row.getLong("known_from")),
                Map.of(
                        "pool", row.getString("pool_id"),
                        "of",
                                describePool(
                                        row.getString("kind"),
                                        row.getString("region"),
                                        row.getString("zone")),
                        "reservable", Boolean.toString(row.getBoolean("reservable")),
                        "totals", TOTALS.readValue(row.getString("totals")).toString(),
                        "starts", CapacityEvents.instant(row, "starts").toString(),
                        "ends",
                                row.getObject("ends") == null
                                        ? "null"
                                        : CapacityEvents.instant(row, "ends").toString(),
                        "known_to", String.valueOf(row.getObject("known_to"))));
    }

    @Override
    public List<Row> expectedRows(List<RecordedEvent> events, Moment moment) {
        Collection<List<RecordedEvent>> lives =
                CapacityEvents.of(events, moment).stream()
                        .filter(event -> event.event() instanceof ResourceEvent)
                        .collect(
                                Collectors.groupingBy(
                                        RecordedEvent::stream,
                                        LinkedHashMap::new,
                                        Collectors.toList()))
                        .values();
        return lives.stream()
                .flatMap(life -> PoolMember.of(life).stream())
                .map(CapacityMemberRows::row)
                .toList();
    }

    private static Row row(PoolMember member) {
        CapacityPool pool = member.pool();
        return new Row(
                key(member.resource().value(), member.from()),
                Map.of(
                        "pool", pool.id().toString(),
                        "of", describePool(pool.kind().value(), pool.region(), pool.zone()),
                        "reservable", Boolean.toString(member.reservable()),
                        "totals", member.totals().toString(),
                        "starts", member.starts().toString(),
                        "ends", String.valueOf(member.ends()),
                        "known_to", String.valueOf(member.to())));
    }

    private static String key(long resource, long from) {
        return "resource %s, known from %s".formatted(resource, from);
    }

    private static String describePool(
            @Nullable String kind, @Nullable String region, @Nullable String zone) {
        return kind + " in " + zone + " of " + region;
    }
}
