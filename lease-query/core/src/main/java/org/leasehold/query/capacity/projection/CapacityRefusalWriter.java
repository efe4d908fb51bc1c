package org.leasehold.query.capacity.projection;

import static org.leasehold.query.capacity.projection.CapacityProjection.column;
import static org.leasehold.query.capacity.projection.CapacityProjection.text;

import org.springframework.jdbc.core.JdbcTemplate;

import java.util.List;
import java.util.UUID;
import java.util.function.UnaryOperator;

/** The writer of refused requests. */
final class CapacityRefusalWriter {

    private final JdbcTemplate jdbc;
    private final String refusalTable;
    private final String poolTable;
    private final CapacityPoolWriter pools;
    private final CapacityChangeWriter changes;

    CapacityRefusalWriter(
            JdbcTemplate jdbc,
            UnaryOperator<String> table,
            CapacityPoolWriter pools,
            CapacityChangeWriter changes) {
        this.jdbc = jdbc;
        this.refusalTable = table.apply(CapacityProjection.REFUSAL);
        this.poolTable = table.apply(CapacityProjection.POOL);
        this.pools = pools;
        this.changes = changes;
    }

    /** Inserts refusals, and adds their edges. */
    void add(List<RefusedRequest> refusals, long firstPosition) {
        if (refusals.isEmpty()) {
            return;
        }
        pools.insert(pools.ofRefusals(refusals));
        jdbc.update(
                """
                INSERT INTO %s (lease_id, position, number, kind, unmet, starts, ends, wish)
                SELECT lease::uuid, position, number, kind, unmet, starts::timestamptz,
                    ends::timestamptz, wish
                FROM unnest(?, ?, ?, ?, ?, ?, ?, ?)
                    r (lease, position, number, kind, unmet, starts, ends, wish)
                """
                        .formatted(refusalTable),
                column(refusals, String[]::new, RefusedRequest::lease),
                column(refusals, Long[]::new, RefusedRequest::position),
                column(refusals, Integer[]::new, RefusedRequest::number),
                column(refusals, String[]::new, each -> each.kind().value()),
                column(refusals, Integer[]::new, RefusedRequest::unmet),
                column(refusals, String[]::new, each -> text(each.period().start())),
                column(refusals, String[]::new, each -> text(each.period().end())),
                column(refusals, UUID[]::new, each -> each.pool().id()));
        String these = "(SELECT * FROM %s WHERE position >= ?)".formatted(refusalTable);
        changes.add(CapacityChangeSql.refusalEdges(these, poolTable), firstPosition);
    }
}
