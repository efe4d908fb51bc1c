package org.leasehold.runtime.health;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.function.Supplier;

import javax.sql.DataSource;

/**
 * Checks if the database accepts writes. It counts more rows than fit into its allowed memory, so
 * it needs disk space for a moment. It writes neither a table nor the write-ahead log: that could
 * stop a database with a full disk.
 */
public final class WritabilityCheck implements Supplier<Optional<String>> {

    private static final Logger LOG = LoggerFactory.getLogger(WritabilityCheck.class);

    private static final String SESSION_LIMITS =
            "SET LOCAL work_mem = '64kB'; SET LOCAL statement_timeout = 2000";

    /** The numbers go to a temporary file of about 300 KiB before they are counted. */
    private static final String WRITABILITY_QUERY =
            """
            SELECT current_setting('transaction_read_only'),
                   (SELECT count(*) FROM generate_series(1, 20000))
            """;

    private final DataSource database;

    public WritabilityCheck(DataSource database) {
        this.database = database;
    }

    /** Returns why writes would fail; empty if they would not, or if that is unknown. */
    @Override
    public Optional<String> get() {
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            try (Statement statement = connection.createStatement()) {
                statement.execute(SESSION_LIMITS);
                return runQuery(statement);
            } finally {
                connection.rollback();
            }
        } catch (SQLException e) {
            // Another health reports a database that does not respond at all.
            LOG.atDebug().setCause(e).log("The trial of a write fails");
            return LastWriteOutcome.findReason(e);
        }
    }

    private static Optional<String> runQuery(Statement statement) throws SQLException {
        try (ResultSet answer = statement.executeQuery(WRITABILITY_QUERY)) {
            answer.next();
            return answer.getString(1).equals("on")
                    ? Optional.of("The database is read-only")
                    : Optional.empty();
        }
    }
}
