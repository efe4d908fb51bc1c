package org.leasehold.query.capacity.projection;

import static org.leasehold.query.capacity.projection.CapacityProjection.column;
import static org.leasehold.query.capacity.projection.CapacityProjection.text;

import org.leasehold.history.RecordedEvent;
import org.leasehold.lease.UseObserved;
import org.springframework.jdbc.core.JdbcTemplate;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The writer of observations, and of the spans in which resources run nothing. */
final class IdleSpanWriter {

    private final JdbcTemplate jdbc;
    private final String observationTable;
    private final String spanTable;
    private final String memberTable;
    private final CapacityChangeWriter changes;

    IdleSpanWriter(JdbcTemplate jdbc, UnaryOperator<String> table, CapacityChangeWriter changes) {
        this.jdbc = jdbc;
        this.observationTable = table.apply(CapacityProjection.OBSERVATION);
        this.spanTable = table.apply(CapacityProjection.SPAN);
        this.memberTable = table.apply(CapacityProjection.MEMBER);
        this.changes = changes;
    }

    /** Inserts observations, and returns their resources. */
    Set<GrantedResource> addObservations(List<RecordedEvent> events) {
        List<RecordedEvent> looks =
                events.stream().filter(event -> event.event() instanceof UseObserved).toList();
        if (looks.isEmpty()) {
            return Set.of();
        }
        List<UseObserved> seen = looks.stream().map(look -> (UseObserved) look.event()).toList();
        jdbc.update(
                """
                INSERT INTO %s
                SELECT reservation, resource, position, seen::timestamptz, servers
                FROM unnest(?, ?, ?, ?, ?) l (reservation, resource, position, seen, servers)
                """
                        .formatted(observationTable),
                column(seen, UUID[]::new, each -> each.reservationId().value()),
                column(seen, Long[]::new, each -> each.resourceId().value()),
                column(looks, Long[]::new, RecordedEvent::position),
                column(looks, String[]::new, look -> text(look.decidedAt())),
                column(seen, Integer[]::new, UseObserved::servers));
        return seen.stream().map(GrantedResource::of).collect(Collectors.toSet());
    }

    /** Recomputes the idle spans of those given resources that were observed. */
    void update(Set<GrantedResource> given) {
        String looks =
                "(SELECT l.* FROM %s l JOIN %s USING (reservation_id, resource_id))"
                        .formatted(observationTable, GrantedResource.RELATION);
        List<GrantedResource> seen =
                jdbc.query(
                        "SELECT DISTINCT g.* FROM %s JOIN %s USING (reservation_id, resource_id)"
                                .formatted(observationTable, GrantedResource.RELATION),
                        (row, _) -> GrantedResource.of(row),
                        GrantedResource.columns(given));
        if (seen.isEmpty()) {
            return;
        }
        Object[] columns = GrantedResource.columns(seen);
        changes.add(
                CapacityChangeSql.spanEdges(
                        spansOfGiven("IDLE", -1), CapacityChangeSql.currentRows(memberTable)),
                columns);
        jdbc.update(
                """
                DELETE FROM %s s USING %s
                WHERE s.lease_id = g.lease_id AND s.reservation_id = g.reservation_id
                  AND s.resource_id = g.resource_id AND s.what = 'IDLE'
                """
                        .formatted(spanTable, GrantedResource.RELATION),
                columns);
        jdbc.update(
                "INSERT INTO %1$s (%2$s) SELECT %2$s FROM (%3$s) idle"
                        .formatted(
                                spanTable,
                                BookingDelta.COLUMNS,
                                CapacityChangeSql.idleSpans(spansOfGiven("ACTIVE", 1), looks)),
                Stream.of(columns, columns).flatMap(Arrays::stream).toArray());
        changes.add(
                CapacityChangeSql.spanEdges(
                        spansOfGiven("IDLE", 1), CapacityChangeSql.currentRows(memberTable)),
                columns);
    }

    private String spansOfGiven(String what, int sign) {
        return """
        (SELECT s.*, %s AS sign
         FROM %s s JOIN %s USING (lease_id, reservation_id, resource_id)
         WHERE s.what = '%s')\
        """
                .formatted(sign, spanTable, GrantedResource.RELATION, what);
    }
}
