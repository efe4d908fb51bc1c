package org.leasehold.history;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Describes rows that follow from events alone, so that an operator can verify them. Every owner of
 * such rows implements this interface.
 */
public interface DerivedRows {

    /** Returns the name of the table in reports. */
    String table();

    Subject subject();

    /**
     * Returns the query that selects all existing rows. For leases, the first column is the lease's
     * id, and the rows are in its order.
     */
    String query();

    /** Converts a row of the query's result. */
    Row parseRow(ResultSet row) throws SQLException;

    /** Returns the expected rows of one lease, or of the whole inventory. */
    List<Row> expectedRows(List<RecordedEvent> events, Moment moment);

    /** The source of the rows. */
    enum Subject {
        /** Each row follows from the events of one lease. */
        LEASE,
        /** The rows follow from all events of resources and their properties together. */
        INVENTORY
    }

    /**
     * A row.
     *
     * @param key distinguishes the row from the others of its subject
     * @param columns the relevant columns, as text
     * @param owed true if the absence of the row is an error
     */
    record Row(String key, Map<String, String> columns, boolean owed) {

        public Row {
            columns = Collections.unmodifiableMap(new TreeMap<>(columns));
        }

        /** Creates a row that must exist. */
        public Row(String key, Map<String, String> columns) {
            this(key, columns, true);
        }
    }

    /**
     * The moment at which the rows are read.
     *
     * @param followed the offset of the processes that react to events
     * @param standing the offsets of the read models that consume the events, by name
     */
    record Moment(Instant now, long followed, Map<String, Long> standing) {

        public Moment {
            standing = Map.copyOf(standing);
        }
    }
}
