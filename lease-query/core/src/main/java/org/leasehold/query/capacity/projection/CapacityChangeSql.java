package org.leasehold.query.capacity.projection;

/**
 * The SQL that turns members, spans and refusals into changes. A change is the sum of all edges at
 * an instant: a start adds an amount, and an end subtracts it.
 */
public final class CapacityChangeSql {

    /** The columns of {@code capacity_change}. */
    public static final String COLUMNS = "pool_id, at, " + CapacityMeasure.columns("%s");

    /** The columns of {@code capacity_hour}. */
    public static final String HOUR_COLUMNS = "pool_id, hour, " + hourColumns("%1$s");

    /** The condition that a change is not zero. */
    static final String IS_NONZERO =
            "(%s) <> (%s)".formatted(CapacityMeasure.columns("%s"), CapacityMeasure.columns("0"));

    /** The sums of several changes, or hours. */
    public static final String SUMS = CapacityMeasure.columns("sum(%1$s)::bigint AS %1$s");

    private CapacityChangeSql() {}

    /** Returns the relation of all rows of a table with the sign 1. */
    static String currentRows(String table) {
        return "(SELECT *, 1 AS sign FROM %s)".formatted(table);
    }

    /**
     * Returns the columns of an hour, or their sums.
     *
     * @param each the expression for a column, with {@code %1$s} for its name
     */
    public static String hourColumns(String each) {
        return String.join(
                ", ",
                CapacityMeasure.columns(each),
                CapacityMeasure.columns(each.replace("%1$s", "%1$s_time")),
                each.formatted("reserved_high"),
                each.formatted("headroom_low"));
    }

    /**
     * Returns the edges of the members themselves.
     *
     * @param members a relation with the columns of {@code capacity_member} and {@code sign}
     */
    public static String memberEdges(String members) {
        return """
        SELECT m.pool_id, date_trunc('milliseconds', e.at) AS at,
            e.sign * m.sign * 1000000::bigint AS enrolled,
            CASE WHEN m.reservable THEN e.sign * m.sign * 1000000::bigint ELSE 0 END AS reservable,
            0::bigint AS reserved, 0::bigint AS active, 0::bigint AS idle, 0::bigint AS refused
        FROM %s m CROSS JOIN LATERAL (VALUES (m.starts, 1), (m.ends, -1)) e (at, sign)
        WHERE e.at IS NOT NULL
        """
                .formatted(members);
    }

    /**
     * Returns the edges of members' bookings. A share counts as its part of the processors, or else
     * of the first resource class by name. It counts as the whole of a resource of unknown size.
     *
     * @param spans a relation with the columns of {@code capacity_span} and {@code sign}
     * @param members a relation with the columns of {@code capacity_member} and {@code sign}
     */
    public static String spanEdges(String spans, String members) {
        return """
        SELECT m.pool_id, date_trunc('milliseconds', e.at) AS at,
            0::bigint AS enrolled, 0::bigint AS reservable,
            CASE s.what WHEN 'PROMISED' THEN e.sign * p.part ELSE 0 END AS reserved,
            CASE s.what WHEN 'ACTIVE' THEN e.sign * p.part ELSE 0 END AS active,
            CASE s.what WHEN 'IDLE' THEN e.sign * p.part ELSE 0 END AS idle,
            0::bigint AS refused
        FROM %s s
            JOIN %s m ON m.resource_id = s.resource_id AND m.starts < s.ends
                AND (m.ends IS NULL OR m.ends > s.starts)
            CROSS JOIN LATERAL (
                SELECT s.sign * m.sign * CASE WHEN s.needs IS NULL THEN 1000000 ELSE coalesce(
                    (SELECT least(1000000, trunc(s.slots * n.value::numeric * 1000000
                         / (m.totals ->> n.key)::numeric))::bigint
                     FROM jsonb_each_text(s.needs) n WHERE n.value::numeric > 0
                     ORDER BY n.key <> 'VCPU', n.key LIMIT 1), 1000000) END AS part) p
            CROSS JOIN LATERAL (VALUES (greatest(s.starts, m.starts), 1),
                (least(s.ends, m.ends), -1)) e (at, sign)
        """
                .formatted(spans, members);
    }

    /**
     * Returns the spans of idle resources: given as a whole, and observed to run nothing. An
     * observation holds until the next one. If a clock was set back, the observation then replaces
     * the ones for later times.
     *
     * @param spans a relation with the columns of {@code capacity_span} and {@code sign}
     * @param looks one with those of {@code capacity_look}: all of a span's, or none
     */
    public static String idleSpans(String spans, String looks) {
        return """
        SELECT s.lease_id, s.reservation_id, s.resource_id, 'IDLE' AS what, s.slots, s.needs,
            greatest(s.starts, l.seen) AS starts, least(s.ends, l.until) AS ends, s.sign
        FROM (
            SELECT *, coalesce(min(seen) OVER (PARTITION BY reservation_id, resource_id
                ORDER BY position ROWS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING), 'infinity')
                    AS until
            FROM %2$s look) l
            JOIN %1$s s USING (reservation_id, resource_id)
        WHERE s.what = 'ACTIVE' AND s.needs IS NULL AND l.servers = 0 AND l.seen < l.until
            AND l.seen < s.ends AND l.until > s.starts
        """
                .formatted(spans, looks);
    }

    /**
     * Returns the edges of refusals, in the pool of their request, or, if there is none, in that of
     * all others.
     *
     * @param refusals a relation with the columns of {@code capacity_refusal}
     * @param pools one with those of {@code capacity_pool}
     */
    public static String refusalEdges(String refusals, String pools) {
        return """
        SELECT coalesce(wished.pool_id, others.pool_id) AS pool_id,
            date_trunc('milliseconds', e.at) AS at,
            0::bigint AS enrolled, 0::bigint AS reservable, 0::bigint AS reserved,
            0::bigint AS active, 0::bigint AS idle, e.sign * r.unmet::bigint AS refused
        FROM %1$s r
            LEFT JOIN %2$s wished ON wished.pool_id = r.wish
            LEFT JOIN %2$s others ON others.kind = r.kind AND others.wish = ''
            CROSS JOIN LATERAL (VALUES (r.starts, 1), (r.ends, -1)) e (at, sign)
        """
                .formatted(refusals, pools);
    }

    /**
     * Sums edges at the same instant to one change, for their pool and for their kind as a whole.
     *
     * @param pools a relation with the columns of {@code capacity_pool}
     */
    public static String sumByInstant(String edges, String pools) {
        return """
        SELECT counts.whole AS pool_id, at, %3$s
        FROM (%1$s) edge JOIN (
            SELECT pool_id, pool_id AS whole FROM %2$s
            UNION ALL
            SELECT part.pool_id, whole.pool_id
            FROM %2$s part JOIN %2$s whole ON whole.kind = part.kind
            WHERE part.properties IS NOT NULL AND whole.properties IS NULL
        ) counts ON counts.pool_id = edge.pool_id
        GROUP BY counts.whole, at
        """
                .formatted(edges, pools, SUMS);
    }

    /**
     * Sums changes, hour by hour. The peaks begin with zero, the state at the hour's beginning.
     *
     * @param changes a relation with the columns of {@code capacity_change}
     */
    public static String sumByHour(String changes) {
        return """
        SELECT pool_id, hour, %2$s, %3$s,
            greatest(0, max(risen))::bigint AS reserved_high,
            least(0, min(fallen))::bigint AS headroom_low
        FROM (
            SELECT c.*, h.hour,
                3600000 - round(extract(epoch FROM c.at - h.hour) * 1000)::bigint AS rest,
                sum(c.reserved) OVER so_far AS risen,
                sum(c.reservable - c.reserved) OVER so_far AS fallen
            FROM %1$s c CROSS JOIN LATERAL (SELECT date_trunc('hour', c.at, 'UTC') AS hour) h
            WINDOW so_far AS (PARTITION BY c.pool_id, h.hour ORDER BY c.at)) change
        GROUP BY pool_id, hour
        """
                .formatted(
                        changes,
                        SUMS,
                        CapacityMeasure.columns("sum(%1$s::numeric * rest) AS %1$s_time"));
    }
}
