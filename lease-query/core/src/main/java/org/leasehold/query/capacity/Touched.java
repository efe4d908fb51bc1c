package org.leasehold.query.capacity;

import static org.leasehold.query.capacity.CapacityTables.column;

import java.sql.Timestamp;
import java.util.Collection;
import java.util.UUID;

/** An hour of a pool in which something has changed. */
record Touched(UUID pool, Timestamp hour) {

    /** Of the {@link #columns}' values. */
    static final String RELATION =
            "(SELECT pool_id, hour::timestamptz AS hour FROM unnest(?, ?) t (pool_id, hour)) t";

    /**
     * The changes of these hours. Nothing but the index leads from hours to changes fast. Hence no
     * join, which the planner may make of all the hours with all the changes of a pool.
     *
     * @param changes a table with the columns of {@code capacity_change}
     */
    static String of(String changes) {
        return """
        (SELECT c.* FROM %s CROSS JOIN LATERAL (
             SELECT * FROM %s c
             WHERE c.pool_id = t.pool_id AND c.at >= t.hour AND c.at < t.hour + interval '1 hour'
             OFFSET 0) c)\
        """
                .formatted(RELATION, changes);
    }

    static Object[] columns(Collection<Touched> hours) {
        return new Object[] {
            column(hours, UUID[]::new, Touched::pool),
            column(hours, String[]::new, each -> each.hour().toInstant().toString())
        };
    }
}
