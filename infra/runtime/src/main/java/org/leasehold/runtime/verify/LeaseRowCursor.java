package org.leasehold.runtime.verify;

import org.jspecify.annotations.Nullable;
import org.leasehold.history.DerivedRows;
import org.leasehold.history.DerivedRows.Row;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

/** All rows of a table, ordered by lease, with a few thousand in memory. */
final class LeaseRowCursor implements AutoCloseable {

    private static final int FETCH_SIZE = 2000;

    private final DerivedRows table;
    private final PreparedStatement select;
    private final ResultSet rows;
    private @Nullable String nextLease;

    private LeaseRowCursor(DerivedRows table, PreparedStatement select, ResultSet rows)
            throws SQLException {
        this.table = table;
        this.select = select;
        this.rows = rows;
        advance();
    }

    static LeaseRowCursor open(DerivedRows table, Connection connection) throws SQLException {
        PreparedStatement select = connection.prepareStatement(table.query());
        select.setFetchSize(FETCH_SIZE);
        return new LeaseRowCursor(table, select, select.executeQuery());
    }

    DerivedRows table() {
        return table;
    }

    /**
     * Returns the rows of a lease.
     *
     * @param strays takes the rows of preceding leases that were never requested
     */
    List<Row> readLease(String lease, BiConsumer<String, Row> strays) throws SQLException {
        List<Row> found = new ArrayList<>();
        while (nextLease != null && nextLease.compareTo(lease) <= 0) {
            Row row = table.parseRow(rows);
            if (nextLease.equals(lease)) {
                found.add(row);
            } else {
                strays.accept(nextLease, row);
            }
            advance();
        }
        return found;
    }

    /** Passes on the rows after the last lease. */
    void readRemaining(BiConsumer<String, Row> strays) throws SQLException {
        while (nextLease != null) {
            strays.accept(nextLease, table.parseRow(rows));
            advance();
        }
    }

    private void advance() throws SQLException {
        nextLease = rows.next() ? rows.getString(1) : null;
    }

    @Override
    public void close() throws SQLException {
        select.close();
    }
}
