package org.leasehold.query.capacity.projection;

import org.leasehold.history.RecordedEvent;
import org.leasehold.query.booking.Booking;
import org.leasehold.query.booking.BookingVersion;
import org.springframework.jdbc.core.JdbcTemplate;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** The writer of the spans in which leases have resources. */
final class CapacitySpanWriter {

    private final JdbcTemplate jdbc;
    private final String spanTable;
    private final String memberTable;
    private final CapacityChangeWriter changes;

    CapacitySpanWriter(
            JdbcTemplate jdbc, UnaryOperator<String> table, CapacityChangeWriter changes) {
        this.jdbc = jdbc;
        this.spanTable = table.apply(CapacityProjection.SPAN);
        this.memberTable = table.apply(CapacityProjection.MEMBER);
        this.changes = changes;
    }

    /** Writes spans, and returns the resources whose given time changed. */
    Set<GrantedResource> update(Collection<List<RecordedEvent>> leases, long firstPosition) {
        List<BookingDelta> known = new ArrayList<>();
        List<BookingDelta> forgotten = new ArrayList<>();
        for (List<RecordedEvent> life : leases) {
            UUID lease = UUID.fromString(life.getFirst().stream());
            for (BookingVersion each : BookingVersion.of(life)) {
                if (each.from() >= firstPosition && each.to() == null) {
                    known.add(new BookingDelta(lease, each.booking(), 1));
                } else if (each.isUndoneSince(firstPosition)) {
                    forgotten.add(new BookingDelta(lease, each.booking(), -1));
                }
            }
        }
        if (!forgotten.isEmpty()) {
            deleteSpans(forgotten);
        }
        if (!known.isEmpty()) {
            jdbc.update(
                    """
                    INSERT INTO %1$s (%2$s) SELECT %2$s FROM %3$s s
                    """
                            .formatted(spanTable, BookingDelta.COLUMNS, BookingDelta.RELATION),
                    BookingDelta.columns(known));
        }
        forgotten.addAll(known);
        if (!forgotten.isEmpty()) {
            changes.add(
                    CapacityChangeSql.spanEdges(
                            BookingDelta.RELATION, CapacityChangeSql.currentRows(memberTable)),
                    BookingDelta.columns(forgotten));
        }
        return forgotten.stream()
                .filter(span -> span.booking().what() == Booking.What.ACTIVE)
                .map(GrantedResource::of)
                .collect(Collectors.toCollection(HashSet::new));
    }

    private void deleteSpans(List<BookingDelta> spans) {
        jdbc.update(
                """
                DELETE FROM %s t USING %s s
                WHERE t.lease_id = s.lease_id AND t.reservation_id = s.reservation_id
                  AND t.resource_id = s.resource_id AND t.what = s.what AND t.starts = s.starts
                """
                        .formatted(spanTable, BookingDelta.RELATION),
                BookingDelta.columns(spans));
    }
}
