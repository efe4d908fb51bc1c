package org.leasehold.query.capacity;

/**
 * How members, spans and refusals come to changes, in the language of the database. A change is the
 * sum of all edges at an instant: where something starts it adds to what there is, and where it
 * ends it takes that away.
 */
final class Edges {

    /** Changes: what {@code capacity_change} has. */
    static final String COLUMNS = "pool_id, at, enrolled, reservable, reserved, active, refused";

    private Edges() {}

    /**
     * Of the members themselves.
     *
     * @param members a relation with the columns of {@code capacity_member} and {@code sign}
     */
    static String ofMembers(String members) {
        return """
        SELECT m.pool_id, date_trunc('milliseconds', e.at) AS at,
            e.sign * m.sign * 1000000::bigint AS enrolled,
            CASE WHEN m.reservable THEN e.sign * m.sign * 1000000::bigint ELSE 0 END AS reservable,
            0::bigint AS reserved, 0::bigint AS active, 0::bigint AS refused
        FROM %s m CROSS JOIN LATERAL (VALUES (m.starts, 1), (m.ends, -1)) e (at, sign)
        WHERE e.at IS NOT NULL
        """
                .formatted(members);
    }

    /**
     * Of what is booked of members. A share counts as the part that it takes of what comes first:
     * the processors, and else the resource classes by name. Of what nobody knows the size of, it
     * counts as the whole.
     *
     * @param spans a relation with the columns of {@code capacity_span} and {@code sign}
     * @param members a relation with the columns of {@code capacity_member} and {@code sign}
     */
    static String ofSpans(String spans, String members) {
        return """
        SELECT m.pool_id, date_trunc('milliseconds', e.at) AS at,
            0::bigint AS enrolled, 0::bigint AS reservable,
            CASE s.what WHEN 'PROMISED' THEN e.sign * p.part ELSE 0 END AS reserved,
            CASE s.what WHEN 'ACTIVE' THEN e.sign * p.part ELSE 0 END AS active,
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
     * Of what was refused, in the pool of its wish, or, if there is none, in that of all others.
     *
     * @param refusals a relation with the columns of {@code capacity_refusal}
     * @param pools one with those of {@code capacity_pool}
     */
    static String ofRefusals(String refusals, String pools) {
        return """
        SELECT coalesce(its.pool_id, others.pool_id) AS pool_id,
            date_trunc('milliseconds', e.at) AS at,
            0::bigint AS enrolled, 0::bigint AS reservable, 0::bigint AS reserved,
            0::bigint AS active, e.sign * r.wanted::bigint AS refused
        FROM %1$s r
            LEFT JOIN %2$s its ON its.pool_id = r.wish
            LEFT JOIN %2$s others ON others.kind = r.kind AND others.wish = ''
            CROSS JOIN LATERAL (VALUES (r.starts, 1), (r.ends, -1)) e (at, sign)
        """
                .formatted(refusals, pools);
    }

    /**
     * Edges at the same instant are one change, of their pool and of that of their kind as a whole.
     *
     * @param pools a relation with the columns of {@code capacity_pool}
     */
    static String summed(String edges, String pools) {
        return """
        SELECT counts.whole AS pool_id, at, sum(enrolled)::bigint AS enrolled,
            sum(reservable)::bigint AS reservable, sum(reserved)::bigint AS reserved,
            sum(active)::bigint AS active, sum(refused)::bigint AS refused
        FROM (%1$s) edge JOIN (
            SELECT pool_id, pool_id AS whole FROM %2$s
            UNION ALL
            SELECT part.pool_id, whole.pool_id
            FROM %2$s part JOIN %2$s whole ON whole.kind = part.kind
            WHERE part.properties IS NOT NULL AND whole.properties IS NULL
        ) counts ON counts.pool_id = edge.pool_id
        GROUP BY counts.whole, at
        """
                .formatted(edges, pools);
    }

    /**
     * What changes come to, hour by hour: what {@code capacity_hour} has. The peaks begin with
     * nothing: at the hour's beginning it is as it was.
     *
     * @param changes a relation with the columns of {@code capacity_change}
     */
    static String byHour(String changes) {
        return """
        SELECT pool_id, hour,
            sum(enrolled)::bigint AS enrolled, sum(reservable)::bigint AS reservable,
            sum(reserved)::bigint AS reserved, sum(active)::bigint AS active,
            sum(refused)::bigint AS refused,
            sum(enrolled * rest)::bigint AS enrolled_time,
            sum(reservable * rest)::bigint AS reservable_time,
            sum(reserved * rest)::bigint AS reserved_time,
            sum(active * rest)::bigint AS active_time,
            sum(refused::numeric * rest) AS refused_time,
            greatest(0, max(risen))::bigint AS reserved_high,
            least(0, min(fallen))::bigint AS headroom_low
        FROM (
            SELECT c.*, h.hour,
                3600000 - round(extract(epoch FROM c.at - h.hour) * 1000)::bigint AS rest,
                sum(c.reserved) OVER so_far AS risen,
                sum(c.reservable - c.reserved) OVER so_far AS fallen
            FROM %s c CROSS JOIN LATERAL (SELECT date_trunc('hour', c.at, 'UTC') AS hour) h
            WINDOW so_far AS (PARTITION BY c.pool_id, h.hour ORDER BY c.at)) change
        GROUP BY pool_id, hour
        """
                .formatted(changes);
    }
}
