package org.leasehold.history;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Rows that are kept beside the events and follow from them alone, so that an operator can have
 * them verified. Whoever keeps such rows describes them here.
 */
public interface DerivedRows {

    /** The table, as reports name it. */
    String table();

    Subject subject();

    /**
     * Selects all rows that there are. For leases, the first column is the lease's id, and the rows
     * are in its order.
     */
    String query();

    /** What the query has found. */
    Row found(ResultSet row) throws SQLException;

    /** What there should be for one lease, or for the whole inventory. */
    List<Row> expected(List<RecordedEvent> events, Moment moment);

    /** What the rows are made from. */
    enum Subject {
        /** Each row from the events of one lease. */
        LEASE,
        /** From all events of resources and their properties together. */
        INVENTORY
    }

    /**
     * A row.
     *
     * @param key tells it from the others of its subject
     * @param columns those that matter, as text
     * @param owed whether it is wrong that there is none
     */
    record Row(String key, Map<String, String> columns, boolean owed) {

        public Row {
            columns = Collections.unmodifiableMap(new TreeMap<>(columns));
        }

        /** A row that has to be there. */
        public Row(String key, Map<String, String> columns) {
            this(key, columns, true);
        }
    }

    /**
     * When the rows are looked at.
     *
     * @param followed the position up to which the processes that react to events have done so
     * @param standing the positions that read models stand on which follow the events, by name
     */
    record Moment(Instant now, long followed, Map<String, Long> standing) {

        public Moment {
            standing = Map.copyOf(standing);
        }
    }
}
