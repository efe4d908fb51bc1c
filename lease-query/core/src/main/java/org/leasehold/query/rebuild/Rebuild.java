package org.leasehold.query.rebuild;

import org.leasehold.history.EventLog;
import org.leasehold.query.rebuild.Rebuildable.Draft;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.UncategorizedSQLException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.SQLStateSQLExceptionTranslator;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.function.LongConsumer;

import javax.sql.DataSource;

/**
 * A rebuild of read models from event zero while the old ones are read and written.
 *
 * <p>All of it is one transaction, so a failed rebuild leaves nothing behind. Events are applied to
 * drafts, without a lock, until few remain. The last ones are applied, and the drafts put in place,
 * under the lock that every append takes, so that no write is lost. Locks are taken in the order in
 * which commands take them, so that none can deadlock.
 */
public final class Rebuild {

    private static final int MAX_REMAINING_EVENTS = 1000;
    private static final int MAX_PASSES = 10;
    private static final int MAX_LOCK_ATTEMPTS = 60;

    /** The key is the event log's: see {@code V1__event_store.sql}. */
    private static final String LOCK_APPENDS = "SELECT pg_advisory_xact_lock(1)";

    private static final String LOCK_REBUILDS = "SELECT pg_try_advisory_xact_lock(10)";

    // No command waits for it until it locks; from then on all do.
    private static final String DISABLE_TIMEOUTS =
            "SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0";

    // A reader of an old table delays the swap, and the swap delays all other readers and writers.
    private static final String SET_LOCK_TIMEOUT =
            "SET LOCAL lock_timeout = '1s'; SET LOCAL statement_timeout = '20s'";

    private static final String LOCK_NOT_AVAILABLE = "55P03";

    private final DataSource dataSource;
    private final JdbcTemplate jdbc;
    private final TransactionTemplate rebuildTransaction;
    private final TransactionTemplate lockTransaction;
    private final EventLog log;

    public Rebuild(DataSource dataSource, PlatformTransactionManager transactions, EventLog log) {
        this.dataSource = dataSource;
        this.jdbc = new JdbcTemplate(dataSource);
        this.rebuildTransaction = new TransactionTemplate(transactions);
        this.lockTransaction = new TransactionTemplate(transactions);
        this.lockTransaction.setPropagationBehavior(TransactionDefinition.PROPAGATION_NESTED);
        this.log = log;
    }

    /**
     * Rebuilds read models and returns their position.
     *
     * @param progress receives the position so far
     * @throws IllegalStateException if a rebuild is running already, or an old table is read
     *     without a pause so that it cannot be replaced
     */
    public long run(List<Rebuildable> readModels, LongConsumer progress) {
        // Events are read on a separate connection, beside the transaction that writes. It is taken
        // first: callers that wait for the lock may hold all others.
        try (Connection reading = dataSource.getConnection()) {
            Long last = rebuildTransaction.execute(_ -> rebuild(readModels, reading, progress));
            return last == null ? 0 : last;
        } catch (SQLException e) {
            throw translate(e);
        }
    }

    private long rebuild(List<Rebuildable> readModels, Connection reading, LongConsumer progress) {
        if (!Boolean.TRUE.equals(jdbc.queryForObject(LOCK_REBUILDS, Boolean.class))) {
            throw new IllegalStateException("a rebuild is running already");
        }
        jdbc.execute(DISABLE_TIMEOUTS);
        List<Draft> drafts = readModels.stream().map(Rebuildable::begin).toList();
        long position = 0;
        for (int pass = 0; pass < MAX_PASSES; pass++) {
            long before = position;
            position = applyEvents(drafts, reading, before, progress);
            if (position - before < MAX_REMAINING_EVENTS) {
                break;
            }
        }
        drafts.forEach(Draft::finish);
        for (int attempt = 0; attempt < MAX_LOCK_ATTEMPTS; attempt++) {
            position = applyEvents(drafts, reading, position, progress);
            if (tryLock(drafts)) {
                position = applyEvents(drafts, reading, position, progress);
                drafts.forEach(Draft::replace);
                return position;
            }
        }
        throw new IllegalStateException("what is to be replaced is read without a pause");
    }

    /** Returns whether all locks are held; if not, none is. */
    private boolean tryLock(List<Draft> drafts) {
        try {
            lockTransaction.executeWithoutResult(
                    _ -> {
                        jdbc.execute(SET_LOCK_TIMEOUT);
                        drafts.forEach(Draft::lockBeforeAppends);
                        jdbc.execute(LOCK_APPENDS);
                        drafts.forEach(Draft::lockAfterAppends);
                    });
            return true;
        } catch (DataAccessException e) {
            if (e.getMostSpecificCause() instanceof SQLException cause
                    && LOCK_NOT_AVAILABLE.equals(cause.getSQLState())) {
                return false;
            }
            throw e;
        }
    }

    private long applyEvents(
            List<Draft> drafts, Connection reading, long after, LongConsumer progress) {
        try {
            return log.replay(
                    reading,
                    after,
                    events -> {
                        drafts.forEach(draft -> draft.apply(events));
                        progress.accept(events.getLast().position());
                    });
        } catch (SQLException e) {
            throw translate(e);
        }
    }

    private static DataAccessException translate(SQLException e) {
        DataAccessException translated =
                new SQLStateSQLExceptionTranslator().translate("rebuild", null, e);
        return translated == null ? new UncategorizedSQLException("rebuild", null, e) : translated;
    }
}
