package org.leasehold.query.capacity.projection;

import static org.leasehold.query.capacity.projection.CapacityProjection.column;
import static org.leasehold.query.capacity.projection.CapacityProjection.text;

import org.leasehold.history.RecordedEvent;
import org.springframework.jdbc.core.JdbcTemplate;

import tools.jackson.databind.json.JsonMapper;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.function.UnaryOperator;

/** The writer of the states of resources, as members of their pools. */
final class CapacityMemberWriter {

    private static final JsonMapper JSON = new JsonMapper();

    private final JdbcTemplate jdbc;
    private final String memberTable;
    private final String spanTable;
    private final CapacityPoolWriter pools;
    private final CapacityChangeWriter changes;

    CapacityMemberWriter(
            JdbcTemplate jdbc,
            UnaryOperator<String> table,
            CapacityPoolWriter pools,
            CapacityChangeWriter changes) {
        this.jdbc = jdbc;
        this.memberTable = table.apply(CapacityProjection.MEMBER);
        this.spanTable = table.apply(CapacityProjection.SPAN);
        this.pools = pools;
        this.changes = changes;
    }

    /**
     * Updates the states of resources since a position, and their edges.
     *
     * @param lives all events of the resources
     */
    void update(Collection<List<RecordedEvent>> lives, long firstPosition) {
        List<PoolMember> opened = new ArrayList<>();
        List<PoolMember> closed = new ArrayList<>();
        for (List<RecordedEvent> life : lives) {
            for (PoolMember member : PoolMember.of(life)) {
                Long to = member.to();
                if (member.from() >= firstPosition) {
                    opened.add(member);
                } else if (to != null && to >= firstPosition) {
                    closed.add(member);
                }
            }
        }
        if (!closed.isEmpty()) {
            addMemberEdges(closed, -1);
            closeMembers(closed);
        }
        if (!opened.isEmpty()) {
            pools.insert(opened.stream().map(PoolMember::pool).toList());
            insertMembers(opened);
        }
        closed.addAll(opened);
        if (!closed.isEmpty()) {
            addMemberEdges(closed, 1);
        }
    }

    /** Adds the edges of these members as they are in the table, and of their bookings. */
    private void addMemberEdges(List<PoolMember> members, int sign) {
        String these =
                """
                (SELECT m.*, %s AS sign FROM unnest(?, ?) k (resource_id, known_from)
                     JOIN %s m USING (resource_id, known_from))\
                """
                        .formatted(sign, memberTable);
        Object resources = column(members, Long[]::new, each -> each.resource().value());
        Object positions = column(members, Long[]::new, PoolMember::from);
        changes.add(CapacityChangeSql.memberEdges(these), resources, positions);
        changes.add(
                CapacityChangeSql.spanEdges(CapacityChangeSql.currentRows(spanTable), these),
                resources,
                positions);
    }

    private void closeMembers(List<PoolMember> members) {
        jdbc.update(
                """
                UPDATE %s m SET ends = c.ends::timestamptz, known_to = c.known_to
                FROM unnest(?, ?, ?, ?) c (resource, known_from, ends, known_to)
                WHERE m.resource_id = c.resource AND m.known_from = c.known_from
                """
                        .formatted(memberTable),
                column(members, Long[]::new, each -> each.resource().value()),
                column(members, Long[]::new, PoolMember::from),
                column(members, String[]::new, each -> text(each.ends())),
                column(members, Long[]::new, PoolMember::to));
    }

    private void insertMembers(List<PoolMember> members) {
        jdbc.update(
                """
                INSERT INTO %s
                SELECT resource, pool, reservable, totals::jsonb, starts::timestamptz,
                    ends::timestamptz, known_from, known_to
                FROM unnest(?, ?, ?, ?, ?, ?, ?, ?)
                    m (resource, pool, reservable, totals, starts, ends, known_from, known_to)
                """
                        .formatted(memberTable),
                column(members, Long[]::new, each -> each.resource().value()),
                column(members, UUID[]::new, each -> each.pool().id()),
                column(members, Boolean[]::new, PoolMember::reservable),
                column(members, String[]::new, each -> JSON.writeValueAsString(each.totals())),
                column(members, String[]::new, each -> text(each.starts())),
                column(members, String[]::new, each -> text(each.ends())),
                column(members, Long[]::new, PoolMember::from),
                column(members, Long[]::new, PoolMember::to));
    }
}
