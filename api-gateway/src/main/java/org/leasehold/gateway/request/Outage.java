package org.leasehold.gateway.request;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.sql.SQLTransientException;
import java.util.Set;

/**
 * What a caller is told while the database is away, or cannot do its work in time: nothing is wrong
 * with the request, and it may be repeated.
 */
public final class Outage {

    /** In seconds. Longer than for a conflict: a server that restarts is away for some. */
    public static final String RETRY_AFTER = "5";

    /**
     * The connection is lost, resources such as the disk are exhausted, an operator or a time-out
     * intervened, the system failed. Everything else is a fault of the engine.
     */
    private static final Set<String> CLASSES = Set.of("08", "53", "57", "58");

    /**
     * A lock that others hold for too long, a transaction that was ended because it hung, and a
     * server that is not to be written to: one that was the primary a moment ago.
     */
    private static final Set<String> STATES = Set.of("55P03", "25P03", "25P04", "25006");

    private Outage() {}

    /** Whether a failure means that the database cannot serve now. */
    public static boolean isTold(SQLException failure) {
        for (@Nullable Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql && isTold(sql, sql.getSQLState())) {
                return true;
            }
        }
        return false;
    }

    private static boolean isTold(SQLException failure, @Nullable String state) {
        if (state == null || state.length() != 5) {
            // The connection pool has none; it says what it means with a class.
            return failure instanceof SQLTransientException;
        }
        return CLASSES.contains(state.substring(0, 2)) || STATES.contains(state);
    }
}
