package org.leasehold.query.capacity;

import org.leasehold.history.Invariant;
import org.leasehold.query.Capacities;
import org.leasehold.query.booking.Looks;

/** The invariants of the tables of capacity. */
final class CapacityInvariants {

    static final Invariant CHANGES_ARE_WHAT_IS_BOOKED =
            new Invariant(
                    CapacityTables.CHANGE,
                    different(
                            "at",
                            """
                            SELECT %s FROM (%s) change
                            WHERE %s
                            """
                                    .formatted(
                                            Edges.COLUMNS,
                                            Edges.summed(edges(), CapacityTables.POOL),
                                            Edges.IS_SOMETHING),
                            "SELECT %s FROM capacity_change".formatted(Edges.COLUMNS)));

    static final Invariant HOURS_ARE_THEIR_CHANGES =
            new Invariant(
                    CapacityTables.HOUR,
                    different(
                            "hour",
                            Edges.byHour(CapacityTables.CHANGE),
                            "SELECT %s FROM capacity_hour".formatted(Edges.OF_HOURS)));

    static final Invariant LOOKS_ARE_AS_THE_EVENTS_HAVE_THEM =
            Looks.areAsTheEventsHaveThem(CapacityTables.LOOK, Capacities.STANDS_ON, "servers");

    static final Invariant IDLE_IS_WHAT_WAS_SEEN_TO_BE =
            new Invariant(
                    CapacityTables.SPAN,
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
                                    Span.COLUMNS,
                                    Edges.idle(now(CapacityTables.SPAN), CapacityTables.LOOK)));

    /** The pools of requests must not depend on who built the tables, and when. */
    static final Invariant THE_FIRST_WISHES_ARE_TOLD_APART =
            new Invariant(
                    CapacityTables.POOL,
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
                            .formatted(RefusedWish.MOST));

    private CapacityInvariants() {}

    private static String edges() {
        String members = now(CapacityTables.MEMBER);
        return String.join(
                " UNION ALL ",
                Edges.ofMembers(members),
                Edges.ofSpans(now(CapacityTables.SPAN), members),
                Edges.ofRefusals(CapacityTables.REFUSAL, CapacityTables.POOL));
    }

    private static String now(String table) {
        return "(SELECT *, 1 AS sign FROM %s)".formatted(table);
    }

    private static String different(String when, String expected, String found) {
        return """
        SELECT 'pool ' || coalesce(e.pool_id, f.pool_id) || ' ' || coalesce(e.%1$s, f.%1$s),
            coalesce(e::text, 'nothing'), coalesce(f::text, 'nothing')
        FROM (%2$s) e FULL JOIN (%3$s) f ON f.pool_id = e.pool_id AND f.%1$s = e.%1$s
        WHERE e::text IS DISTINCT FROM f::text
        """
                .formatted(when, expected, found);
    }
}
