package org.leasehold.resource.simulator;

import org.jspecify.annotations.Nullable;
import org.leasehold.lease.ProjectId;
import org.leasehold.lease.UserId;
import org.leasehold.resource.Acting;
import org.leasehold.resource.Petition;
import org.leasehold.resource.Petitioning;
import org.springframework.jdbc.core.simple.JdbcClient;

import tools.jackson.databind.JavaType;
import tools.jackson.databind.json.JsonMapper;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/** Servers or volumes of the simulated cloud with a lease tag in their metadata. */
final class WrittenThings implements Petitioning {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final JavaType TEXTS =
            JSON.getTypeFactory().constructMapType(TreeMap.class, String.class, String.class);

    private final CloudStore store;
    private final CloudConnections connections;
    private final String table;
    private final String parameter;
    private final String writable;

    private WrittenThings(
            CloudStore store,
            CloudConnections connections,
            String table,
            String parameter,
            String writable) {
        this.store = store;
        this.connections = connections;
        this.table = table;
        this.parameter = parameter;
        this.writable = writable;
    }

    /** Returns the servers. As in Nova, nothing can be written on a shelved server. */
    static WrittenThings servers(CloudStore store, CloudConnections connections, String parameter) {
        return new WrittenThings(
                store, connections, "zone_server", parameter, "state <> 'SHELVED_OFFLOADED'");
    }

    static WrittenThings volumes(CloudStore store, CloudConnections connections, String parameter) {
        return new WrittenThings(store, connections, "volume", parameter, "true");
    }

    /** Replaces the metadata of a thing, as a user does. */
    static void write(
            CloudConnections connections, UUID thing, UserId user, Map<String, String> metadata) {
        connections
                .jdbc()
                .sql(
                        """
                        INSERT INTO metadata (thing, author, contents)
                        VALUES (:thing, :author, CAST(:contents AS jsonb))
                        ON CONFLICT (thing) DO UPDATE SET contents = excluded.contents
                        """)
                .param("thing", thing)
                .param("author", user.value())
                .param("contents", JSON.writeValueAsString(metadata))
                .update();
    }

    static Map<String, String> metadata(CloudConnections connections, UUID thing) {
        return connections
                .jdbc()
                .sql("SELECT contents FROM metadata WHERE thing = :thing")
                .param("thing", thing)
                .query((row, _) -> contents(row))
                .optional()
                .orElseGet(TreeMap::new);
    }

    @Override
    public Seen petitions() {
        List<Petition> seen = new ArrayList<>();
        return switch (call("petitions", _ -> seen.addAll(written()))) {
            case Acting.Result.Done _ -> new Seen.All(seen);
            case Acting.Result.Failed(var fault) -> new Seen.Nothing(fault);
        };
    }

    private List<Petition> written() {
        return jdbc()
                .sql(
                        """
                        SELECT t.id, t.name, t.project, m.author, m.contents
                        FROM %s t JOIN metadata m ON m.thing = t.id ORDER BY t.name, t.id
                        """
                                .formatted(table))
                .query((row, _) -> petition(row))
                .list()
                .stream()
                .filter(Petition::asks)
                .toList();
    }

    private Petition petition(ResultSet row) throws SQLException {
        return new Petition(
                row.getString("id"),
                new ProjectId(row.getString("project")),
                new UserId(row.getString("author")),
                row.getString("name"),
                Map.of(parameter, row.getString("id")),
                contents(row));
    }

    private static Map<String, String> contents(ResultSet row) throws SQLException {
        return JSON.readValue(row.getString("contents"), TEXTS);
    }

    @Override
    public void tell(Petition petition, @Nullable String problem) {
        call("tell", call -> call.step("write_metadata", null, () -> write(petition, problem)));
    }

    private int write(Petition petition, @Nullable String problem) {
        return jdbc().sql(
                        """
                        UPDATE metadata SET contents =
                            (contents - CAST(:key AS text)) || jsonb_strip_nulls(
                                jsonb_build_object(CAST(:key AS text), CAST(:problem AS text)))
                        WHERE thing = CAST(:thing AS uuid)
                          AND thing IN (SELECT id FROM %s WHERE %s)
                        """
                                .formatted(table, writable))
                .param("key", Petition.ERROR)
                .param("problem", problem)
                .param("thing", petition.thing())
                .update();
    }

    private Acting.Result call(String name, CloudCall.Steps steps) {
        return new CloudCall(store, name, null, () -> true).perform(steps);
    }

    private JdbcClient jdbc() {
        return connections.jdbc();
    }
}
