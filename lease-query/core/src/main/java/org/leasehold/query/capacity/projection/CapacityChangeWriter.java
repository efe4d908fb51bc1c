package org.leasehold.query.capacity.projection;

import static org.leasehold.query.capacity.projection.CapacityProjection.column;

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
final class CapacityChangeWriter {

    /** The relation of the {@link #columns}' values. */
    private static final String HOURS_RELATION =
            "(SELECT pool_id, hour::timestamptz AS hour FROM unnest(?, ?) t (pool_id, hour)) t";

    private final JdbcTemplate jdbc;
    private final String pools;
    private final String changes;
    private final String hours;
    private final Set<PoolHour> changedHours = new HashSet<>();

    /** The touched hours that may have changes that add up to nothing. */
    private final Set<PoolHour> possiblyEmptyHours = new HashSet<>();

    /**
     * @param table returns the current name of a table
     */
    CapacityChangeWriter(JdbcTemplate jdbc, UnaryOperator<String> table) {
        this.jdbc = jdbc;
        this.pools = table.apply(CapacityProjection.POOL);
        this.changes = table.apply(CapacityProjection.CHANGE);
        this.hours = table.apply(CapacityProjection.HOUR);
    }

    private record PoolHour(UUID pool, Timestamp hour) {}

    /**
     * Adds edges to the changes.
     *
     * @param edges a statement of {@link CapacityChangeSql}
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
                                CapacityChangeSql.COLUMNS,
                                CapacityChangeSql.sumByInstant(edges, pools),
                                CapacityMeasure.columns("%1$s = c.%1$s + excluded.%1$s"),
                                CapacityChangeSql.IS_NONZERO),
                row -> {
                    PoolHour hour = new PoolHour(row.getObject(1, UUID.class), row.getTimestamp(2));
                    changedHours.add(hour);
                    if (!row.getBoolean(3)) {
                        possiblyEmptyHours.add(hour);
                    }
                },
                values);
    }

    /** Updates the hours from the changes. */
    void updateHours() {
        if (!possiblyEmptyHours.isEmpty()) {
            deleteEmptyRows();
        }
        if (!changedHours.isEmpty()) {
            jdbc.update(
                    """
                    INSERT INTO %s (%s) %s
                    ON CONFLICT (pool_id, hour) DO UPDATE SET %s
                    """
                            .formatted(
                                    hours,
                                    CapacityChangeSql.HOUR_COLUMNS,
                                    CapacityChangeSql.sumByHour(changesOfHours()),
                                    CapacityChangeSql.hourColumns("%1$s = excluded.%1$s")),
                    columns(changedHours));
        }
    }

    /** Deletes changes that are zero, and hours without a change. */
    private void deleteEmptyRows() {
        jdbc.update(
                """
                DELETE FROM %s c USING (SELECT pool_id, at FROM %s change WHERE NOT (%s)) none
                WHERE c.pool_id = none.pool_id AND c.at = none.at
                """
                        .formatted(changes, changesOfHours(), CapacityChangeSql.IS_NONZERO),
                columns(possiblyEmptyHours));
        jdbc.update(
                """
                DELETE FROM %s h USING %s
                WHERE h.pool_id = t.pool_id AND h.hour = t.hour AND NOT EXISTS (
                    SELECT FROM %s c WHERE c.pool_id = t.pool_id
                        AND c.at >= t.hour AND c.at < t.hour + interval '1 hour')
                """
                        .formatted(hours, HOURS_RELATION, changes),
                columns(possiblyEmptyHours));
    }

    /**
     * Returns the changes of these hours. Only the index finds them fast. A join is avoided: the
     * planner may make it one of all hours with all changes of a pool.
     */
    private String changesOfHours() {
        return """
        (SELECT c.* FROM %s CROSS JOIN LATERAL (
             SELECT * FROM %s c
             WHERE c.pool_id = t.pool_id AND c.at >= t.hour AND c.at < t.hour + interval '1 hour'
             OFFSET 0) c)\
        """
                .formatted(HOURS_RELATION, changes);
    }

    private static Object[] columns(Collection<PoolHour> these) {
        return new Object[] {
            column(these, UUID[]::new, PoolHour::pool),
            column(these, String[]::new, each -> each.hour().toInstant().toString())
        };
    }
}
