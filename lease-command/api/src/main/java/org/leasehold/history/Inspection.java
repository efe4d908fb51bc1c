package org.leasehold.history;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * Looks for what is wrong where {@link DerivedRows} and {@link Invariant} do not suffice: what can
 * neither be reckoned from decoded events nor be asked for in SQL.
 */
public interface Inspection {

    /**
     * Tells all that is wrong, as soon as it is found.
     *
     * @param connection reads as of one instant, in a transaction that changes nothing
     */
    void inspect(Connection connection, Finding findings) throws SQLException;

    /** Takes what is wrong. */
    @FunctionalInterface
    interface Finding {

        /**
         * One thing that is wrong.
         *
         * @param table as reports name it
         * @param where which row or event of it
         */
        void tell(String table, String where, String expected, String found);
    }
}
