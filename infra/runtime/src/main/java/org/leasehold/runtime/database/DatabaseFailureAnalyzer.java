package org.leasehold.runtime.database;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

import java.sql.SQLException;
import java.util.Objects;

/** Reports a database that refuses connections, in one sentence and without a stack trace. */
final class DatabaseFailureAnalyzer extends AbstractFailureAnalyzer<SQLException> {

    private static final String CONNECTION = "08";
    private static final String AUTHORIZATION = "28";

    /** PgBouncer's state for an unknown user or database. */
    private static final String PROTOCOL_VIOLATION = "08P01";

    private static final String NO_SUCH_DATABASE = "3D";
    private static final String CANNOT_CONNECT_NOW = "57P03";

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, SQLException cause) {
        String state = Objects.toString(cause.getSQLState(), "");
        if (state.startsWith(AUTHORIZATION)
                || state.startsWith(NO_SUCH_DATABASE)
                || state.equals(PROTOCOL_VIOLATION)) {
            return analysis(
                    "The database refuses the engine",
                    cause,
                    "Correct %1$s.url, %1$s.user or %1$s.password."
                            .formatted(DatabaseSettings.PREFIX));
        }
        if (state.startsWith(CONNECTION) || state.equals(CANNOT_CONNECT_NOW)) {
            return analysis(
                    "The database does not answer",
                    cause,
                    "Start the database, or correct %s.url.".formatted(DatabaseSettings.PREFIX));
        }
        return null;
    }

    private static FailureAnalysis analysis(String problem, SQLException cause, String action) {
        return new FailureAnalysis(problem + ": " + cause.getMessage(), action, cause);
    }
}
