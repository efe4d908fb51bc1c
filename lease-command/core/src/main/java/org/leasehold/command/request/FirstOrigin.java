package org.leasehold.command.request;

import org.leasehold.command.CommandContext;
import org.leasehold.command.RequestOrigin;
import org.springframework.jdbc.core.simple.JdbcClient.StatementSpec;

/**
 * The origin of the first of several equal requests that become one row. The statement that stores
 * the row stores it, too.
 */
final class FirstOrigin {

    private FirstOrigin() {}

    /**
     * Returns a statement that also stores the origin.
     *
     * @param insertion inserts a row with a column {@code times}, or counts an equal one
     */
    static String storedWith(String insertion) {
        return """
        WITH recorded AS (%s RETURNING times)
        INSERT INTO request_origin (request_id, user_id, address, agent)
        SELECT :request::text, :user::text, :address::inet, :agent::text FROM recorded
        WHERE times = 1 AND :known
        ON CONFLICT (request_id) DO NOTHING
        """
                .formatted(insertion);
    }

    /** Sets the parameters that such a statement has besides those of its insertion. */
    static StatementSpec bind(StatementSpec statement, CommandContext context) {
        RequestOrigin origin = context.origin();
        return statement
                .param("request", context.requestId())
                .param("user", context.user())
                .param("address", origin == null ? null : origin.addressText())
                .param("agent", origin == null ? null : origin.agent())
                .param("known", origin != null);
    }
}
