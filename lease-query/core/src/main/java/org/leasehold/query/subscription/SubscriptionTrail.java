package org.leasehold.query.subscription;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.CommandContext;
import org.leasehold.command.RequestOrigin;
import org.leasehold.query.SubscriptionChanges.Done;
import org.springframework.jdbc.core.simple.JdbcClient;

import tools.jackson.databind.json.JsonMapper;

import java.util.Map;
import java.util.TreeMap;

/**
 * Writes down what is done to subscriptions, and from where, in the transaction in which it is
 * done: neither is without the other.
 */
public final class SubscriptionTrail {

    /** In place of what nobody else is to know. */
    public static final String HIDDEN = "…";

    /** What is told of one, and of the one that replaces it. */
    public static final Map<String, Object> SOME_SECRET = Map.of("secret", HIDDEN);

    private static final JsonMapper JSON = new JsonMapper();

    // The request may have led to something else, too, and has its row already.
    private static final String NOTE =
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

    public SubscriptionTrail(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Notes what is done in the transaction of the moment. */
    public void note(Done done, CommandContext by) {
        RequestOrigin origin = by.origin();
        jdbc.sql(NOTE)
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

    /** The fields of one that are not those of the other. */
    public static Map<String, Object> without(
            Map<String, Object> fields, Map<String, Object> others) {
        Map<String, Object> rest = new TreeMap<>(fields);
        rest.entrySet().removeAll(others.entrySet());
        return rest;
    }
}
