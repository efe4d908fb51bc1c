package org.leasehold.history;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * Finds errors beyond {@link DerivedRows} and {@link Invariant}: those that neither decoded events
 * nor SQL can show.
 */
public interface ConsistencyCheck {

    /**
     * Reports every error as soon as it is found.
     *
     * @param connection a connection with a snapshot, in a read-only transaction
     */
    void inspect(Connection connection, Finding findings) throws SQLException;

    /** Receives errors. */
    @FunctionalInterface
    interface Finding {

        /**
         * Reports one error.
         *
         * @param table the table's name in reports
         * @param where the row or event of the table
         */
        void report(String table, String where, String expected, String found);
    }
}
