package org.leasehold.query.subscription;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.CommandContext;
import org.leasehold.command.RequestOrigin;
import org.leasehold.readmodel.subscription.SubscriptionChanges.Done;
import org.springframework.jdbc.core.simple.JdbcClient;

import tools.jackson.databind.json.JsonMapper;

import java.util.Map;
import java.util.TreeMap;

/**
 * The record of changes of subscriptions, with their origins, in the transaction of the change:
 * neither exists without the other.
 */
public final class SubscriptionChangeRecorder {

    /** The text that replaces a hidden value. */
    public static final String HIDDEN = "…";

    /** The recorded fields of a secret, before and after its replacement. */
    public static final Map<String, Object> HIDDEN_SECRET = Map.of("secret", HIDDEN);

    private static final JsonMapper JSON = new JsonMapper();

    // The request may have had another effect, too, and has its row already.
    private static final String INSERT_CHANGE =
            """
            WITH came AS (
                INSERT INTO request_origin (request_id, user_id, address, agent)
                SELECT :request::text, :user::text, :address::inet, :agent::text WHERE :known
                ON CONFLICT (request_id) DO NOTHING)
            INSERT INTO subscription_change (kind, subscription_id, project_id, action, before,
                after, user_id, user_project_id, roles, authentication, request_id, reason)
            VALUES (:kind, :subscription, :project, :action, :before::jsonb, :after::jsonb, :user,
                :acting, :roles, :authentication, :request, :reason)
            """;

    private final JdbcClient jdbc;

    public SubscriptionChangeRecorder(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Records a change in the current transaction. */
    public void recordChange(Done done, CommandContext by) {
        RequestOrigin origin = by.origin();
        jdbc.sql(INSERT_CHANGE)
                .param("kind", done.kind().name())
                .param("subscription", done.subscription())
                .param("project", done.project().value())
                .param("action", done.action().name())
                .param("before", json(done.before()))
                .param("after", json(done.after()))
                .param("user", by.user())
                .param("acting", by.project())
                .param("roles", by.roles().toArray(String[]::new))
                .param("authentication", by.authentication())
                .param("request", by.requestId())
                .param("reason", by.reason())
                .param("address", origin == null ? null : origin.addressText())
                .param("agent", origin == null ? null : origin.agent())
                .param("known", origin != null)
                .update();
    }

    private static @Nullable String json(@Nullable Map<String, Object> fields) {
        return fields == null ? null : JSON.writeValueAsString(fields);
    }

    /** Returns the fields that differ from those of another map. */
    public static Map<String, Object> differingFields(
            Map<String, Object> fields, Map<String, Object> others) {
        Map<String, Object> rest = new TreeMap<>(fields);
        rest.entrySet().removeAll(others.entrySet());
        return rest;
    }
}
