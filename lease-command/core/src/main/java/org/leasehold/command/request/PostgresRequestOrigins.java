package org.leasehold.command.request;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.CommandContext;
import org.leasehold.command.RequestOrigin;
import org.leasehold.command.RequestOrigins;
import org.springframework.jdbc.core.simple.JdbcClient;

import tools.jackson.databind.json.JsonMapper;

import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** The table of the origins of requests. */
public final class PostgresRequestOrigins implements RequestOrigins, OriginTable {

    private final JdbcClient jdbc;
    private final JsonMapper json;

    public PostgresRequestOrigins(JdbcClient jdbc, JsonMapper json) {
        this.jdbc = jdbc;
        this.json = json;
    }

    @Override
    public void storeOrigins(Collection<CommandContext> contexts) {
        List<String> requests = new ArrayList<>();
        List<@Nullable String> users = new ArrayList<>();
        List<@Nullable String> addresses = new ArrayList<>();
        List<@Nullable String> agents = new ArrayList<>();
        for (CommandContext context : contexts) {
            RequestOrigin origin = context.origin();
            if (origin != null) {
                requests.add(context.requestId());
                users.add(context.user());
                addresses.add(origin.addressText());
                agents.add(origin.agent());
            }
        }
        // A request may send several commands.
        jdbc.sql(
                        """
                        INSERT INTO request_origin (request_id, user_id, address, agent)
                        SELECT request, who, address::inet, agent
                        FROM unnest(:requests::text[], :users::text[], :addresses::text[],
                            :agents::text[]) came (request, who, address, agent)
                        ON CONFLICT (request_id) DO NOTHING
                        """)
                .param("requests", requests.toArray(String[]::new))
                .param("users", users.toArray(String[]::new))
                .param("addresses", addresses.toArray(String[]::new))
                .param("agents", agents.toArray(String[]::new))
                .update();
    }

    @Override
    public long erase(@Nullable String user, @Nullable Instant before, CommandContext context) {
        return jdbc.sql(
                        """
                        WITH gone AS (
                            DELETE FROM request_origin
                            WHERE (:user::text IS NULL OR user_id = :user)
                              AND (:before::timestamptz IS NULL OR at < :before)
                            RETURNING 1)
                        INSERT INTO origin_erasure (of_user, before, erased, metadata)
                        SELECT :user::text, :before::timestamptz, count(*), :metadata::jsonb FROM gone
                        RETURNING erased
                        """)
                .param("user", user)
                .param("before", before == null ? null : before.atOffset(ZoneOffset.UTC))
                .param("metadata", json.writeValueAsString(CommandMetadata.stored(context)))
                .query(Long.class)
                .single();
    }

    @Override
    public int eraseBefore(Instant before, int limit) {
        return jdbc.sql(
                        """
                        DELETE FROM request_origin WHERE request_id IN (
                            SELECT request_id FROM request_origin WHERE at < :before
                            ORDER BY at LIMIT :most FOR UPDATE SKIP LOCKED)
                        """)
                .param("before", before.atOffset(ZoneOffset.UTC))
                .param("most", limit)
                .update();
    }
}
