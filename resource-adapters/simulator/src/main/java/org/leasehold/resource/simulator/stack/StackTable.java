package org.leasehold.resource.simulator.stack;

import org.leasehold.resource.simulator.CloudConnections;
import org.leasehold.resource.simulator.stack.SimulatedStack.State;
import org.leasehold.resource.stack.AddressPool;
import org.leasehold.resource.stack.PreviewedResource;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;
import org.springframework.jdbc.core.simple.JdbcClient;

import tools.jackson.databind.json.JsonMapper;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;

/** The simulated cloud's stacks, and the pools of their floating IPs. */
public final class StackTable {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private static final String DEFAULT_POLICY = "Delete";
    private static final String RETAIN_POLICY = "Retain";

    private final CloudConnections connections;

    public StackTable(CloudConnections connections) {
        this.connections = connections;
    }

    /** Returns the total of a network's pools; empty if there is no such network. */
    Optional<AddressPool> pool(String network) {
        return jdbc().sql(
                        """
                        SELECT sum(CAST(pool_last AS inet) - CAST(pool_first AS inet) + 1)
                        FROM subnet WHERE network = :network GROUP BY network
                        """)
                .param("network", network)
                .query(Long.class)
                .optional()
                .map(addresses -> new AddressPool(network, addresses));
    }

    public List<SimulatedStack> all() {
        return jdbc().sql("SELECT * FROM stack ORDER BY project, name").query(this::stack).list();
    }

    Optional<SimulatedStack> findByReservation(ReservationId reservation) {
        return jdbc().sql("SELECT * FROM stack WHERE reservation = :reservation")
                .param("reservation", reservation.value())
                .query(this::stack)
                .optional();
    }

    Optional<SimulatedStack> find(UUID id) {
        return jdbc().sql("SELECT * FROM stack WHERE id = :id")
                .param("id", id)
                .query(this::stack)
                .optional();
    }

    /** Creates a stack with its resources, within a transaction; does nothing if it exists. */
    public int create(
            SimulatedStack stack, List<PreviewedResource> elements, Map<String, String> policies) {
        ReservationId reservation = stack.reservation();
        int made =
                jdbc().sql(
                                """
                                INSERT INTO stack (id, name, project, request, state, reservation)
                                VALUES (:id, :name, :project, :request, :state,
                                        CAST(:reservation AS uuid))
                                ON CONFLICT DO NOTHING
                                """)
                        .param("id", stack.id())
                        .param("name", stack.name())
                        .param("project", stack.project().value())
                        .param("request", stack.request())
                        .param("state", stack.state().name())
                        .param("reservation", reservation == null ? null : reservation.toString())
                        .update();
        if (made > 0) {
            createResources(stack.id(), elements, policies);
        }
        return made;
    }

    /** Creates a stack as a user does, from a template in JSON. */
    public UUID create(String name, ProjectId project, Map<String, ?> template) {
        UUID id = UUID.randomUUID();
        Map<String, ?> request = Map.of("template", template);
        SimulatedStack stack =
                new SimulatedStack(
                        id,
                        name,
                        project,
                        JSON.writeValueAsString(request),
                        State.COMPLETE,
                        new TreeMap<>(),
                        null);
        connections.runInTransaction(
                () -> create(stack, SimulatedTemplate.of(request).elements(), Map.of()));
        return id;
    }

    /**
     * Updates a stack to another request, within a transaction. A removed resource that must stay
     * outlives its stack.
     */
    int update(
            UUID id,
            String request,
            List<PreviewedResource> elements,
            Map<String, String> policies) {
        String names = String.join(",", elements.stream().map(PreviewedResource::name).toList());
        jdbc().sql(
                        """
                        UPDATE stack_resource SET stack = NULL
                        WHERE stack = :id AND policy = :retained
                          AND name <> ALL (string_to_array(:names, ','))
                        """)
                .param("id", id)
                .param("retained", RETAIN_POLICY)
                .param("names", names)
                .update();
        jdbc().sql(
                        """
                        DELETE FROM stack_resource
                        WHERE stack = :id AND name <> ALL (string_to_array(:names, ','))
                        """)
                .param("id", id)
                .param("names", names)
                .update();
        createResources(id, elements, policies);
        return jdbc().sql("UPDATE stack SET request = :request WHERE id = :id")
                .param("request", request)
                .param("id", id)
                .update();
    }

    private void createResources(
            UUID stack, List<PreviewedResource> elements, Map<String, String> policies) {
        for (PreviewedResource element : elements) {
            jdbc().sql(
                            """
                            INSERT INTO stack_resource (stack, name, type, policy)
                            VALUES (:stack, :name, :type, :policy)
                            ON CONFLICT (stack, name) DO UPDATE SET policy = :policy
                            """)
                    .param("stack", stack)
                    .param("name", element.name())
                    .param("type", element.type())
                    .param("policy", policies.getOrDefault(element.name(), DEFAULT_POLICY))
                    .update();
        }
    }

    int setState(UUID id, State state) {
        return jdbc().sql("UPDATE stack SET state = :state WHERE id = :id AND state <> :state")
                .param("state", state.name())
                .param("id", id)
                .update();
    }

    /** Removes a reservation's mark from a stack. */
    int release(UUID id) {
        return jdbc().sql(
                        """
                        UPDATE stack SET reservation = NULL
                        WHERE id = :id AND reservation IS NOT NULL
                        """)
                .param("id", id)
                .update();
    }

    /** Deletes a stack, within a transaction, except those of its resources that must stay. */
    int delete(UUID id) {
        jdbc().sql("DELETE FROM stack_resource WHERE stack = :id AND policy <> :retained")
                .param("id", id)
                .param("retained", RETAIN_POLICY)
                .update();
        return jdbc().sql("DELETE FROM stack WHERE id = :id").param("id", id).update();
    }

    /** Returns the names of the resources that have outlived their stacks. */
    public List<String> retained() {
        return jdbc().sql("SELECT name FROM stack_resource WHERE stack IS NULL ORDER BY name")
                .query(String.class)
                .list();
    }

    private SimulatedStack stack(ResultSet row, int number) throws SQLException {
        UUID id = row.getObject("id", UUID.class);
        UUID reservation = row.getObject("reservation", UUID.class);
        return new SimulatedStack(
                id,
                row.getString("name"),
                new ProjectId(row.getString("project")),
                row.getString("request"),
                State.valueOf(row.getString("state")),
                resources(id),
                reservation == null ? null : new ReservationId(reservation));
    }

    private SortedMap<String, UUID> resources(UUID stack) {
        SortedMap<String, UUID> resources = new TreeMap<>();
        jdbc().sql("SELECT name, id FROM stack_resource WHERE stack = :stack")
                .param("stack", stack)
                .query(
                        (row, _) ->
                                resources.put(
                                        row.getString("name"), row.getObject("id", UUID.class)))
                .list();
        return resources;
    }

    private JdbcClient jdbc() {
        return connections.jdbc();
    }
}
