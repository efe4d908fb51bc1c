package org.leasehold.runtime.verify;

import org.leasehold.history.ConsistencyCheck;
import org.leasehold.history.DerivedRows;
import org.leasehold.history.DerivedRows.Moment;
import org.leasehold.history.EventLog;
import org.leasehold.history.Invariant;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.OffsetDateTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import javax.sql.DataSource;

/**
 * Recomputes the derived tables from the events. One read-only transaction sees a snapshot of one
 * instant, however busy the engine is. It processes one lease after the other, so that memory does
 * not grow with the history.
 */
public final class Verification {

    // The engine's connections have timeouts; this one has none.
    private static final String DISABLE_TIMEOUTS =
            "SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0";

    private static final String SELECT_MOMENT =
            """
            SELECT now(), (SELECT coalesce(max(position), 0) FROM domain_event),
                   (SELECT coalesce(min((convert_from(token, 'UTF8')::json
                                            ->> 'globalIndex')::bigint), 0)
                    FROM token_entry WHERE processor_name = 'processes')
            """;

    private final DataSource dataSource;
    private final EventLog log;
    private final List<DerivedRows> tables;
    private final List<Invariant> invariants;
    private final List<ConsistencyCheck> checks;

    Verification(
            DataSource dataSource,
            EventLog log,
            List<DerivedRows> tables,
            List<Invariant> invariants,
            List<ConsistencyCheck> inspections) {
        this.dataSource = dataSource;
        this.log = log;
        this.tables = List.copyOf(tables);
        this.invariants = List.copyOf(invariants);
        this.checks = List.copyOf(inspections);
    }

    /** Runs the verification, and reports every difference immediately. */
    public Report run(Consumer<VerificationDifference> differences) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            connection.setReadOnly(true);
            // The database may sort a whole history before it returns the first row.
            connection.setNetworkTimeout(Runnable::run, 0);
            connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            try (Statement statement = connection.createStatement()) {
                statement.execute(DISABLE_TIMEOUTS);
                return verify(connection, statement, differences);
            } finally {
                connection.rollback();
            }
        }
    }

    private Report verify(
            Connection connection,
            Statement statement,
            Consumer<VerificationDifference> differences)
            throws SQLException {
        Map<String, Long> standing = new HashMap<>();
        try (ResultSet row = statement.executeQuery("SELECT name, position FROM projection")) {
            while (row.next()) {
                standing.put(row.getString(1), row.getLong(2));
            }
        }
        Moment moment;
        long position;
        try (ResultSet row = statement.executeQuery(SELECT_MOMENT)) {
            row.next();
            moment =
                    new Moment(
                            row.getObject(1, OffsetDateTime.class).toInstant(),
                            row.getLong(3),
                            standing);
            position = row.getLong(2);
        }
        VerificationPass comparison = new VerificationPass(connection, moment, differences);
        comparison.checkInventory(log, tables);
        comparison.leases(log, tables);
        comparison.checkInvariants(invariants);
        comparison.runChecks(checks);
        return new Report(
                comparison.leases(),
                comparison.events(),
                position,
                Math.max(0, position - moment.followed()),
                comparison.differences());
    }

    /**
     * The extent of a verification.
     *
     * @param position the position of the last verified event
     * @param unfollowed the number of events that sagas have not yet processed: the timers of their
     *     leases were not judged
     */
    public record Report(
            long leases, long events, long position, long unfollowed, long differences) {}
}
