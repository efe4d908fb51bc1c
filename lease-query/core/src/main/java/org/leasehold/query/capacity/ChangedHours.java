package org.leasehold.query.capacity;

import static org.leasehold.query.capacity.CapacityTables.column;

import org.springframework.jdbc.core.JdbcTemplate;

import java.sql.Timestamp;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import java.util.function.UnaryOperator;

/**
 * The writer of a batch's changes to {@code capacity_change}, and then of the hours with changes.
 */
final class ChangedHours {

    /** The relation of the {@link #columns}' values. */
    private static final String THESE =
            "(SELECT pool_id, hour::timestamptz AS hour FROM unnest(?, ?) t (pool_id, hour)) t";

    private final JdbcTemplate jdbc;
    private final String pools;
    private final String changes;
    private final String hours;
    private final Set<PoolHour> touched = new HashSet<>();

    /** The touched hours that may have changes that add up to nothing. */
    private final Set<PoolHour> undone = new HashSet<>();

    /**
     * @param table returns the current name of a table
     */
    ChangedHours(JdbcTemplate jdbc, UnaryOperator<String> table) {
        this.jdbc = jdbc;
        this.pools = table.apply(CapacityTables.POOL);
        this.changes = table.apply(CapacityTables.CHANGE);
        this.hours = table.apply(CapacityTables.HOUR);
    }

    private record PoolHour(UUID pool, Timestamp hour) {}

    /**
     * Adds edges to the changes.
     *
     * @param edges a statement of {@link Edges}
     * @param values its parameters
     */
    void add(String edges, Object... values) {
        jdbc.query(
                """
                WITH changed AS (
                    INSERT INTO %s AS c (%s) %s
                    ON CONFLICT (pool_id, at) DO UPDATE
                    SET %s
                    RETURNING pool_id, date_trunc('hour', at, 'UTC') AS hour, %s AS is_something)
                SELECT pool_id, hour, bool_and(is_something) FROM changed GROUP BY pool_id, hour
                """
                        .formatted(
                                changes,
                                Edges.COLUMNS,
                                Edges.summed(edges, pools),
                                Measure.columns("%1$s = c.%1$s + excluded.%1$s"),
                                Edges.IS_SOMETHING),
                row -> {
                    PoolHour hour = new PoolHour(row.getObject(1, UUID.class), row.getTimestamp(2));
                    touched.add(hour);
                    if (!row.getBoolean(3)) {
                        undone.add(hour);
                    }
                },
                values);
    }

    /** Updates the hours from the changes. */
    void sumUp() {
        if (!undone.isEmpty()) {
            sweep();
        }
        if (!touched.isEmpty()) {
            jdbc.update(
                    """
                    INSERT INTO %s (%s) %s
                    ON CONFLICT (pool_id, hour) DO UPDATE SET %s
                    """
                            .formatted(
                                    hours,
                                    Edges.OF_HOURS,
                                    Edges.byHour(changesOfThese()),
                                    Edges.ofHours("%1$s = excluded.%1$s")),
                    columns(touched));
        }
    }

    /** Deletes changes that are zero, and hours without a change. */
    private void sweep() {
        jdbc.update(
                """
                DELETE FROM %s c USING (SELECT pool_id, at FROM %s change WHERE NOT (%s)) none
                WHERE c.pool_id = none.pool_id AND c.at = none.at
                """
                        .formatted(changes, changesOfThese(), Edges.IS_SOMETHING),
                columns(undone));
        jdbc.update(
                """
                DELETE FROM %s h USING %s
                WHERE h.pool_id = t.pool_id AND h.hour = t.hour AND NOT EXISTS (
                    SELECT FROM %s c WHERE c.pool_id = t.pool_id
                        AND c.at >= t.hour AND c.at < t.hour + interval '1 hour')
                """
                        .formatted(hours, THESE, changes),
                columns(undone));
    }

    /**
     * Returns the changes of these hours. Only the index finds them fast. A join is avoided: the
     * planner may make it one of all hours with all changes of a pool.
     */
    private String changesOfThese() {
        return """
        (SELECT c.* FROM %s CROSS JOIN LATERAL (
             SELECT * FROM %s c
             WHERE c.pool_id = t.pool_id AND c.at >= t.hour AND c.at < t.hour + interval '1 hour'
             OFFSET 0) c)\
        """
                .formatted(THESE, changes);
    }

    private static Object[] columns(Collection<PoolHour> these) {
        return new Object[] {
            column(these, UUID[]::new, PoolHour::pool),
            column(these, String[]::new, each -> each.hour().toInstant().toString())
        };
    }
}
