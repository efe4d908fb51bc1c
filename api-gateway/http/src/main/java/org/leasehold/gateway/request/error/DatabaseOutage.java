package org.leasehold.gateway.request.error;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.sql.SQLTransientException;
import java.util.Set;

/**
 * Failures of a database that is away or too slow: the request is valid, and the caller may retry
 * it.
 */
public final class DatabaseOutage {

    /** Seconds. Longer than for a conflict: a server that restarts is away for some. */
    public static final String RETRY_AFTER = "5";

    /**
     * Classes: a lost connection, exhausted resources such as the disk, an intervention by an
     * operator or a timeout, a system failure. All other classes are faults of the engine.
     */
    private static final Set<String> OUTAGE_STATE_CLASSES = Set.of("08", "53", "57", "58");

    /**
     * States: a lock that others hold too long, a transaction ended because it hung, and a server
     * that is read-only because it was the primary a moment ago.
     */
    private static final Set<String> OUTAGE_STATES = Set.of("55P03", "25P03", "25P04", "25006");

    private DatabaseOutage() {}

    /** Returns whether a failure means that the database cannot serve now. */
    public static boolean isOutage(SQLException failure) {
        for (@Nullable Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql && isOutage(sql, sql.getSQLState())) {
                return true;
            }
        }
        return false;
    }

    private static boolean isOutage(SQLException failure, @Nullable String state) {
        if (state == null || state.length() != 5) {
            // Exceptions of the connection pool have no state; their class is the reason.
            return failure instanceof SQLTransientException;
        }
        return OUTAGE_STATE_CLASSES.contains(state.substring(0, 2))
                || OUTAGE_STATES.contains(state);
    }
}
