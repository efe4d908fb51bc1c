package org.leasehold.resource.simulator;

import org.jspecify.annotations.Nullable;
import org.leasehold.resource.Acting;
import org.leasehold.resource.LeaseTagSource;
import org.leasehold.resource.LeaseTaggedObject;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.UserId;
import org.springframework.jdbc.core.simple.JdbcClient;

import tools.jackson.databind.JavaType;
import tools.jackson.databind.json.JsonMapper;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;

/** Servers or volumes of the simulated cloud with a lease tag in their metadata. */
public final class SimulatedLeaseTags implements LeaseTagSource {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final JavaType STRING_MAP_TYPE =
            JSON.getTypeFactory().constructMapType(TreeMap.class, String.class, String.class);

    private final CloudStore store;
    private final CloudConnections connections;
    private final String table;
    private final String parameter;
    private final String writableCondition;

    private SimulatedLeaseTags(
            CloudStore store,
            CloudConnections connections,
            String table,
            String parameter,
            String writable) {
        this.store = store;
        this.connections = connections;
        this.table = table;
        this.parameter = parameter;
        this.writableCondition = writable;
    }

    /** Returns the servers. As in Nova, nothing can be written on a shelved server. */
    public static SimulatedLeaseTags servers(
            CloudStore store, CloudConnections connections, String parameter) {
        return new SimulatedLeaseTags(
                store, connections, "zone_server", parameter, "state <> 'SHELVED_OFFLOADED'");
    }

    public static SimulatedLeaseTags volumes(
            CloudStore store, CloudConnections connections, String parameter) {
        return new SimulatedLeaseTags(store, connections, "volume", parameter, "true");
    }

    /** Replaces the metadata of a thing, as a user does. */
    public static void writeMetadata(
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

    public static Map<String, String> metadata(CloudConnections connections, UUID thing) {
        return connections
                .jdbc()
                .sql("SELECT contents FROM metadata WHERE thing = :thing")
                .param("thing", thing)
                .query((row, _) -> contents(row))
                .optional()
                .orElseGet(TreeMap::new);
    }

    /** Returns the user who wrote the metadata of a thing; empty if it has none. */
    public static Optional<UserId> author(CloudConnections connections, UUID thing) {
        return connections
                .jdbc()
                .sql("SELECT author FROM metadata WHERE thing = :thing")
                .param("thing", thing)
                .query((row, _) -> new UserId(row.getString(1)))
                .optional();
    }

    @Override
    public Seen findTaggedObjects() {
        List<LeaseTaggedObject> seen = new ArrayList<>();
        return switch (call("petitions", _ -> seen.addAll(findTagged()))) {
            case Acting.Result.Done _ -> new Seen.All(seen);
            case Acting.Result.Failed(var fault) -> new Seen.Unknown(fault);
        };
    }

    private List<LeaseTaggedObject> findTagged() {
        return jdbc()
                .sql(
                        """
                        SELECT t.id, t.name, t.project, m.author, m.contents
                        FROM %s t JOIN metadata m ON m.thing = t.id ORDER BY t.name, t.id
                        """
                                .formatted(table))
                .query((row, _) -> toTaggedObject(row))
                .list()
                .stream()
                .filter(LeaseTaggedObject::hasLeaseTag)
                .toList();
    }

    private LeaseTaggedObject toTaggedObject(ResultSet row) throws SQLException {
        return new LeaseTaggedObject(
                row.getString("id"),
                new ProjectId(row.getString("project")),
                new UserId(row.getString("author")),
                row.getString("name"),
                Map.of(parameter, row.getString("id")),
                contents(row));
    }

    private static Map<String, String> contents(ResultSet row) throws SQLException {
        return JSON.readValue(row.getString("contents"), STRING_MAP_TYPE);
    }

    @Override
    public void writeError(LeaseTaggedObject object, @Nullable String problem) {
        call(
                "tell",
                call -> call.step("write_metadata", null, () -> writeMetadata(object, problem)));
    }

    private int writeMetadata(LeaseTaggedObject object, @Nullable String problem) {
        return jdbc().sql(
                        """
                        UPDATE metadata SET contents =
                            (contents - CAST(:key AS text)) || jsonb_strip_nulls(
                                jsonb_build_object(CAST(:key AS text), CAST(:problem AS text)))
                        WHERE thing = CAST(:thing AS uuid)
                          AND thing IN (SELECT id FROM %s WHERE %s)
                        """
                                .formatted(table, writableCondition))
                .param("key", LeaseTaggedObject.ERROR)
                .param("problem", problem)
                .param("thing", object.thing())
                .update();
    }

    private Acting.Result call(String name, SimulatedCloudCall.Steps steps) {
        return new SimulatedCloudCall(store, name, null, () -> true).perform(steps);
    }

    private JdbcClient jdbc() {
        return connections.jdbc();
    }
}
