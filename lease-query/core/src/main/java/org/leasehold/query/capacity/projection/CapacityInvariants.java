package org.leasehold.query.capacity.projection;

import org.leasehold.history.Invariant;
import org.leasehold.query.booking.ObservedUseInvariant;
import org.leasehold.readmodel.capacity.Capacities;

/** The invariants of the tables of capacity. */
final class CapacityInvariants {

    static final Invariant CHANGES_MATCH_BOOKINGS =
            new Invariant(
                    CapacityProjection.CHANGE,
                    differencesSql(
                            "at",
                            """
                            SELECT %s FROM (%s) change
                            WHERE %s
                            """
                                    .formatted(
                                            CapacityChangeSql.COLUMNS,
                                            CapacityChangeSql.sumByInstant(
                                                    edges(), CapacityProjection.POOL),
                                            CapacityChangeSql.IS_NONZERO),
                            "SELECT %s FROM capacity_change".formatted(CapacityChangeSql.COLUMNS)));

    static final Invariant HOURS_MATCH_CHANGES =
            new Invariant(
                    CapacityProjection.HOUR,
                    differencesSql(
                            "hour",
                            CapacityChangeSql.sumByHour(CapacityProjection.CHANGE),
                            "SELECT %s FROM capacity_hour"
                                    .formatted(CapacityChangeSql.HOUR_COLUMNS)));

    static final Invariant OBSERVATIONS_MATCH_EVENTS =
            ObservedUseInvariant.of(
                    CapacityProjection.OBSERVATION, Capacities.READ_MODEL, "servers");

    static final Invariant IDLE_SPANS_MATCH_OBSERVATIONS =
            new Invariant(
                    CapacityProjection.SPAN,
                    """
                    SELECT 'idle ' || coalesce(e.reservation_id, f.reservation_id) || ' '
                            || coalesce(e.resource_id, f.resource_id),
                        coalesce(e::text, 'nothing'), coalesce(f::text, 'nothing')
                    FROM (SELECT %1$s FROM (%2$s) i) e
                        FULL JOIN (SELECT %1$s FROM capacity_span WHERE what = 'IDLE') f
                            USING (reservation_id, resource_id, starts)
                    WHERE e::text IS DISTINCT FROM f::text
                    """
                            .formatted(
                                    BookingDelta.COLUMNS,
                                    CapacityChangeSql.idleSpans(
                                            CapacityChangeSql.currentRows(CapacityProjection.SPAN),
                                            CapacityProjection.OBSERVATION)));

    /** The pools of requests must not depend on who built the tables, and when. */
    static final Invariant FIRST_REQUESTS_HAVE_POOLS =
            new Invariant(
                    CapacityProjection.POOL,
                    """
                    SELECT 'wish ' || coalesce(e.pool_id, f.pool_id),
                        coalesce(e.pool_id::text, 'nothing'), coalesce(f.pool_id::text, 'nothing')
                    FROM (
                        SELECT wish AS pool_id, row_number() OVER (
                            PARTITION BY kind ORDER BY min(ARRAY[position, number])) AS place
                        FROM capacity_refusal
                        WHERE wish NOT IN (SELECT pool_id FROM capacity_pool WHERE wish = '')
                        GROUP BY kind, wish) e
                    FULL JOIN (SELECT pool_id FROM capacity_pool WHERE wish <> '') f
                        ON f.pool_id = e.pool_id
                    WHERE (e.place <= %s) IS DISTINCT FROM (f.pool_id IS NOT NULL)
                    """
                            .formatted(RefusedRequirement.MAX_DISTINCT_REQUESTS));

    private CapacityInvariants() {}

    private static String edges() {
        String members = CapacityChangeSql.currentRows(CapacityProjection.MEMBER);
        return String.join(
                " UNION ALL ",
                CapacityChangeSql.memberEdges(members),
                CapacityChangeSql.spanEdges(
                        CapacityChangeSql.currentRows(CapacityProjection.SPAN), members),
                CapacityChangeSql.refusalEdges(
                        CapacityProjection.REFUSAL, CapacityProjection.POOL));
    }

    private static String differencesSql(String when, String expected, String found) {
        return """
        SELECT 'pool ' || coalesce(e.pool_id, f.pool_id) || ' ' || coalesce(e.%1$s, f.%1$s),
            coalesce(e::text, 'nothing'), coalesce(f::text, 'nothing')
        FROM (%2$s) e FULL JOIN (%3$s) f ON f.pool_id = e.pool_id AND f.%1$s = e.%1$s
        WHERE e::text IS DISTINCT FROM f::text
        """
                .formatted(when, expected, found);
    }
}
