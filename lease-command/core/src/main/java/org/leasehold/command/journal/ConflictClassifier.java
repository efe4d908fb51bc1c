package org.leasehold.command.journal;

import org.axonframework.modelling.command.AggregateStreamCreationException;
import org.axonframework.modelling.command.ConcurrencyException;
import org.jspecify.annotations.Nullable;
import org.leasehold.command.calendar.CalendarContention;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Set;
import java.util.function.Predicate;

/** Distinguishes a conflict with a concurrent command, which a retry may resolve, from a fault. */
public final class ConflictClassifier {

    private static final String UNIQUE_VIOLATION = "23505";
    private static final String EXCLUSION_VIOLATION = "23P01";
    private static final String SERIALIZATION_FAILURE = "40001";
    private static final String DEADLOCK_DETECTED = "40P01";

    private static final String CONNECTION_EXCEPTIONS = "08";
    private static final String SHUT_DOWN = "57P";

    private static final Set<String> TIMEOUT_STATES = Set.of("55P03", "57014");

    private static final Set<String> CONFLICT_STATES =
            Set.of(UNIQUE_VIOLATION, EXCLUSION_VIOLATION, SERIALIZATION_FAILURE, DEADLOCK_DETECTED);

    private ConflictClassifier() {}

    public static boolean isConflict(Throwable failure) {
        return isCausedBy(
                failure,
                cause ->
                        cause instanceof ConcurrencyException
                                || cause instanceof AggregateStreamCreationException
                                || cause instanceof CalendarContention
                                || (cause instanceof SQLException sql
                                        && isOneOf(CONFLICT_STATES, sql)));
    }

    static boolean isDuplicateKey(Throwable failure) {
        return isCausedBy(
                failure,
                cause ->
                        cause instanceof SQLException sql
                                && isOneOf(Set.of(UNIQUE_VIOLATION), sql));
    }

    /** Returns true if the connection is missing or lost: the last statement may have succeeded. */
    public static boolean isDatabaseUnreachable(Throwable failure) {
        return isCausedBy(
                failure,
                cause ->
                        cause instanceof SQLTransientConnectionException
                                || (cause instanceof SQLException sql
                                        && isConnectionFailure(sql.getSQLState())));
    }

    /** Returns true if a lock or a response of the database took longer than the timeout. */
    public static boolean isTimeout(Throwable failure) {
        return isCausedBy(
                failure,
                cause -> cause instanceof SQLException sql && isOneOf(TIMEOUT_STATES, sql));
    }

    private static boolean isCausedBy(Throwable failure, Predicate<Throwable> of) {
        for (@Nullable Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (of.test(cause)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isConnectionFailure(@Nullable String state) {
        return state != null
                && (state.startsWith(CONNECTION_EXCEPTIONS) || state.startsWith(SHUT_DOWN));
    }

    private static boolean isOneOf(Set<String> states, SQLException failure) {
        String state = failure.getSQLState();
        return state != null && states.contains(state);
    }
}
