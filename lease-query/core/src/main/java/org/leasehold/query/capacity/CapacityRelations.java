package org.leasehold.query.capacity;

import org.leasehold.query.capacity.projection.CapacityChangeSql;
import org.leasehold.query.capacity.projection.CapacityProjection;
import org.leasehold.readmodel.capacity.Capacities.AskCapacity;

import java.time.ZoneOffset;
import java.util.Map;

/**
 * The source of hours and changes: their tables for what is known now. For the past, they are
 * computed from members, bookings and refusals.
 *
 * @param hours a relation with the columns of {@code capacity_hour}: those of each of {@code
 *     :pools} from {@code :since} to {@code :until} at least
 * @param changesInHours one with those of {@code capacity_change}: those of each of {@code
 *     :looked_pools} in the hour in {@code :looked_hours} at least
 * @param values of the parameters that both have
 */
record CapacityRelations(String hours, String changesInHours, Map<String, Object> values) {

    /** The current tables. Only the index finds rows fast, so there is no join with all of them. */
    private static final CapacityRelations CURRENT =
            new CapacityRelations(
                    """
                    (SELECT h.* FROM unnest(:pools) p (pool_id) CROSS JOIN LATERAL (
                         SELECT * FROM capacity_hour h
                         WHERE h.pool_id = p.pool_id AND h.hour >= :since AND h.hour < :until
                         OFFSET 0) h)\
                    """,
                    """
                    (SELECT c.* FROM unnest(:looked_pools, :looked_hours) l (pool_id, begins)
                         CROSS JOIN LATERAL (
                             SELECT * FROM capacity_change c
                             WHERE c.pool_id = l.pool_id
                                 AND c.at >= l.begins::timestamptz
                                 AND c.at < l.begins::timestamptz + interval '1 hour'
                             OFFSET 0) c)\
                    """,
                    Map.of());

    /** Returns the source for a query. */
    static CapacityRelations of(AskCapacity question) {
        Long asOf = question.asOf();
        return asOf == null ? CURRENT : asOf(question, asOf);
    }

    private static CapacityRelations asOf(AskCapacity question, long asOf) {
        String members =
                """
                (SELECT resource_id, pool_id, reservable, totals, starts, known_from,
                     CASE WHEN known_to <= :as_of THEN ends END AS ends, 1 AS sign
                 FROM capacity_member
                 WHERE known_from <= :as_of AND pool_id IN (
                     SELECT pool_id FROM capacity_pool WHERE kind = :kind))\
                """;
        String spans =
                """
                (SELECT *, 1 AS sign FROM booking
                 WHERE known_from <= :as_of AND (known_to IS NULL OR known_to > :as_of)
                     AND kind = :kind AND starts < :end AND ends > :begin)\
                """;
        String idle =
                CapacityChangeSql.idleSpans(
                        spans, "(SELECT * FROM observed_use WHERE position <= :as_of)");
        String refusals =
                """
                (SELECT * FROM capacity_refusal
                 WHERE position <= :as_of AND kind = :kind AND starts < :end AND ends > :begin)\
                """;
        String changes =
                CapacityChangeSql.sumByInstant(
                        String.join(
                                " UNION ALL ",
                                CapacityChangeSql.memberEdges(members),
                                CapacityChangeSql.spanEdges(spans, members),
                                CapacityChangeSql.spanEdges("(" + idle + ")", members),
                                CapacityChangeSql.refusalEdges(refusals, CapacityProjection.POOL)),
                        CapacityProjection.POOL);
        return new CapacityRelations(
                "(%s)".formatted(CapacityChangeSql.sumByHour("(" + changes + ")")),
                """
                (SELECT * FROM (%s) all_of_them
                 WHERE date_trunc('hour', at, 'UTC') = ANY (:looked_hours::timestamptz[]))\
                """
                        .formatted(changes),
                Map.of(
                        "as_of", asOf,
                        "kind", question.kind().value(),
                        "begin", question.from().atOffset(ZoneOffset.UTC),
                        "end", question.to().atOffset(ZoneOffset.UTC)));
    }
}
