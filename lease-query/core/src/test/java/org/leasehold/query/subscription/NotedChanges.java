package org.leasehold.query.subscription;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.CommandContext;
import org.leasehold.command.CommandContext.Idempotency;
import org.leasehold.command.RequestOrigin;
import org.leasehold.query.projection.EventDatabase;

import java.time.Instant;
import java.util.List;

/** What was written down of what was done to subscriptions, and who does it in tests. */
public final class NotedChanges {

    /** No database keeps it, so that nothing can be written down. */
    public static final String UNWRITABLE = "\0";

    private final EventDatabase database;

    public NotedChanges(EventDatabase database) {
        this.database = database;
    }

    /** Root, who acts for a project of operators, from somewhere. */
    public static CommandContext by(String request) {
        return by(request, null);
    }

    public static CommandContext by(String request, @Nullable String reason) {
        return by(request, reason, null);
    }

    /** Root, by a request of which the hash tells what it asks for. */
    public static CommandContext underKey(String request, String key, String hash) {
        return by(request, null, new Idempotency("ops", key, hash));
    }

    private static CommandContext by(
            String request, @Nullable String reason, @Nullable Idempotency key) {
        return new CommandContext(
                Instant.parse("2030-01-01T12:00:00Z"),
                request,
                "root",
                "ops",
                List.of("admin", "member"),
                "basic",
                null,
                reason,
                key,
                null,
                RequestOrigin.of("192.0.2.7", "curl/8"));
    }

    public void forget() {
        database.jdbc().execute("TRUNCATE subscription_change, request_origin");
    }

    /** In order, by their requests. */
    public List<String> told() {
        return texts(
                """
                SELECT concat_ws(' ', request_id, project_id, action, coalesce(before::text, '-'),
                    '->', coalesce(after::text, '-'))
                FROM subscription_change ORDER BY change_id
                """);
    }

    /** Where they came from. */
    public List<String> origins() {
        return texts(
                """
                SELECT concat_ws(' ', request_id, user_id, host(address), agent)
                FROM request_origin ORDER BY request_id
                """);
    }

    /** All that is written of them anywhere. */
    public String everything() {
        return String.join(
                "\n",
                texts(
                        """
                        SELECT change::text || coalesce(origin::text, '')
                        FROM subscription_change change
                        LEFT JOIN request_origin origin USING (request_id)
                        """));
    }

    private List<String> texts(String query) {
        return database.client().sql(query).query(String.class).list();
    }
}
