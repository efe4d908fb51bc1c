package org.leasehold.query.subscription;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.CommandContext;
import org.leasehold.command.CommandContext.Idempotency;
import org.leasehold.command.RequestOrigin;
import org.leasehold.query.projection.EventDatabase;

import java.time.Instant;
import java.util.List;

/** The recorded changes of subscriptions, and their author in tests. */
public final class RecordedSubscriptionChanges {

    /** A text that no database stores, so that nothing can be recorded. */
    public static final String UNWRITABLE = "\0";

    private final EventDatabase database;

    public RecordedSubscriptionChanges(EventDatabase database) {
        this.database = database;
    }

    /** Returns the context of root, who acts for a project of operators, with an origin. */
    public static CommandContext by(String request) {
        return by(request, null);
    }

    public static CommandContext by(String request, @Nullable String reason) {
        return by(request, reason, null);
    }

    /** Returns the context of root with an idempotency key and the hash of the request. */
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

    /** Returns the changes in order, by their requests. */
    public List<String> lines() {
        return texts(
                """
                SELECT concat_ws(' ', request_id, project_id, action, coalesce(before::text, '-'),
                    '->', coalesce(after::text, '-'))
                FROM subscription_change ORDER BY change_id
                """);
    }

    /** Returns the stored origins. */
    public List<String> origins() {
        return texts(
                """
                SELECT concat_ws(' ', request_id, user_id, host(address), agent)
                FROM request_origin ORDER BY request_id
                """);
    }

    /** Returns all stored text about them. */
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
