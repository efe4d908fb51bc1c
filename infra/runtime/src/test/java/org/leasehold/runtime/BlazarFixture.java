package org.leasehold.runtime;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/** A Blazar's database, and the matching responses of its API. */
final class BlazarFixture implements AutoCloseable {

    private static final String LEASES =
            """
            SELECT json_build_object(
                'id', l.id, 'name', l.name, 'user_id', l.user_id, 'project_id', l.project_id,
                'start_date', %1$s(l.start_date), 'end_date', %1$s(l.end_date),
                'status', l.status, 'degraded', l.degraded,
                'created_at', %2$s(l.created_at), 'updated_at', %2$s(l.updated_at),
                'events', (SELECT coalesce(json_agg(json_build_object(
                        'id', e.id, 'lease_id', e.lease_id, 'event_type', e.event_type,
                        'time', %1$s(e.time), 'status', e.status,
                        'created_at', %2$s(e.created_at), 'updated_at', %2$s(e.updated_at))
                        ORDER BY e.id), '[]')
                    FROM events e WHERE e.lease_id = l.id),
                'reservations', (SELECT coalesce(json_agg(jsonb_build_object(
                        'id', r.id, 'lease_id', r.lease_id, 'resource_type', r.resource_type,
                        'status', r.status, 'missing_resources', r.missing_resources,
                        'resources_changed', r.resources_changed,
                        'created_at', %2$s(r.created_at), 'updated_at', %2$s(r.updated_at))
                        || coalesce(
                            (SELECT jsonb_build_object(
                                'min', split_part(h.count_range, '-', 1)::int,
                                'max', split_part(h.count_range, '-', 2)::int,
                                'hypervisor_properties', h.hypervisor_properties,
                                'resource_properties', h.resource_properties,
                                'before_end', h.before_end, 'aggregate_id', h.aggregate_id)
                             FROM computehost_reservations h WHERE h.reservation_id = r.id),
                            (SELECT jsonb_build_object(
                                'vcpus', i.vcpus, 'memory_mb', i.memory_mb, 'disk_gb', i.disk_gb,
                                'amount', i.amount, 'affinity', i.affinity,
                                'resource_properties', i.resource_properties,
                                'flavor_id', i.flavor_id, 'aggregate_id', i.aggregate_id,
                                'server_group_id', i.server_group_id)
                             FROM instance_reservations i WHERE i.reservation_id = r.id),
                            (SELECT jsonb_build_object(
                                'network_id', f.network_id, 'amount', f.amount,
                                'required_floatingips', (
                                    SELECT coalesce(jsonb_agg(q.address), '[]')
                                    FROM required_floatingips q
                                    WHERE q.floatingip_reservation_id = f.id))
                             FROM floatingip_reservations f WHERE f.reservation_id = r.id))
                        ORDER BY r.id), '[]')
                    FROM reservations r WHERE r.lease_id = l.id))
            FROM leases l ORDER BY l.id
            """
                    .formatted("pg_temp.precise", "pg_temp.seconds");

    private final Connection connection;

    private BlazarFixture(Connection connection) {
        this.connection = connection;
    }

    /** Creates the tables in an empty database. */
    static BlazarFixture in(String url, String user) throws SQLException {
        BlazarFixture blazar = new BlazarFixture(DriverManager.getConnection(url, user, ""));
        try (InputStream schema =
                BlazarFixture.class.getResourceAsStream("/blazar/553383923ca0.sql")) {
            blazar.execute(
                    new String(
                            Objects.requireNonNull(schema).readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        blazar.execute(
                """
                CREATE FUNCTION pg_temp.precise(at timestamp) RETURNS text LANGUAGE sql
                    RETURN to_char(at, 'YYYY-MM-DD"T"HH24:MI:SS.US');
                CREATE FUNCTION pg_temp.seconds(at timestamp) RETURNS text LANGUAGE sql
                    RETURN to_char(at, 'YYYY-MM-DD HH24:MI:SS')
                """);
        return blazar;
    }

    void execute(String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Inserts a row; stores an instant as a time without a zone, as Blazar does. */
    void insert(String table, Object... namesAndValues) throws SQLException {
        Map<String, @Nullable Object> columns = new LinkedHashMap<>();
        columns.put("id", UUID.randomUUID().toString());
        columns.put("created_at", Instant.parse("2026-01-02T03:04:05Z"));
        for (int i = 0; i < namesAndValues.length; i += 2) {
            columns.put(namesAndValues[i].toString(), namesAndValues[i + 1]);
        }
        String sql =
                "INSERT INTO %s (%s) VALUES (%s)"
                        .formatted(
                                table,
                                String.join(", ", columns.keySet()),
                                String.join(
                                        ", ", columns.keySet().stream().map(_ -> "?").toList()));
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            int index = 0;
            for (Object value : columns.values()) {
                statement.setObject(++index, value instanceof Instant at ? utc(at) : value);
            }
            statement.executeUpdate();
        }
    }

    private static LocalDateTime utc(Instant instant) {
        return LocalDateTime.ofInstant(instant.truncatedTo(ChronoUnit.SECONDS), ZoneOffset.UTC);
    }

    void host(long id, String name, boolean reservable) throws SQLException {
        insert(
                "computehosts",
                "id",
                String.valueOf(id),
                "vcpus",
                8,
                "cpu_info",
                "{}",
                "hypervisor_type",
                "QEMU",
                "hypervisor_version",
                7002000,
                "hypervisor_hostname",
                name,
                "service_name",
                name,
                "memory_mb",
                16384,
                "local_gb",
                100,
                "availability_zone",
                "",
                "trust_id",
                "t1",
                "reservable",
                reservable);
    }

    /** Inserts a lease with its two or three events, which have the given statuses. */
    String lease(String name, String status, Instant start, Instant end, String events)
            throws SQLException {
        String id = UUID.randomUUID().toString();
        insert(
                "leases",
                "id",
                id,
                "name",
                name,
                "user_id",
                "u1",
                "project_id",
                "p1",
                "trust_id",
                "t1",
                "start_date",
                start,
                "end_date",
                end,
                "status",
                status,
                "updated_at",
                Instant.parse("2026-01-02T03:04:07Z"));
        String[] of = events.split(" ", -1);
        event(id, "start_lease", start, of[0]);
        event(id, "before_end_lease", end.minusSeconds(60), of[1]);
        event(id, "end_lease", end, of[2]);
        return id;
    }

    void event(String lease, String type, Instant time, String status) throws SQLException {
        insert("events", "lease_id", lease, "event_type", type, "time", time, "status", status);
    }

    String reservation(String lease, String type, String status) throws SQLException {
        String id = UUID.randomUUID().toString();
        insert(
                "reservations",
                "id",
                id,
                "lease_id",
                lease,
                "resource_id",
                UUID.randomUUID().toString(),
                "resource_type",
                type,
                "status",
                status,
                "updated_at",
                Instant.parse("2026-01-02T03:04:06Z"));
        return id;
    }

    /** Inserts a reservation of whole hosts. */
    String hosts(String lease, String status, String range, long... hosts) throws SQLException {
        String id = reservation(lease, "physical:host", status);
        insert(
                "computehost_reservations",
                "reservation_id",
                id,
                "aggregate_id",
                3,
                "count_range",
                range,
                "hypervisor_properties",
                "[\">=\", \"$vcpus\", \"4\"]",
                "resource_properties",
                "",
                "before_end",
                "default");
        allocate(id, hosts);
        return id;
    }

    /** Inserts a reservation with a slot on each host; a host given twice has two. */
    String instances(String lease, String type, String status, String properties, long... hosts)
            throws SQLException {
        String id = reservation(lease, type, status);
        insert(
                "instance_reservations",
                "reservation_id",
                id,
                "vcpus",
                2,
                "memory_mb",
                2048,
                "disk_gb",
                10,
                "amount",
                hosts.length,
                "resource_properties",
                properties,
                "flavor_id",
                id,
                "aggregate_id",
                4,
                "server_group_id",
                type.equals("virtual:instance") ? "a5c5dd5e-1b5b-4a3f-8f0e-3f0d1c6a9b10" : null);
        allocate(id, hosts);
        return id;
    }

    private void allocate(String reservation, long... hosts) throws SQLException {
        for (long host : hosts) {
            insert(
                    "computehost_allocations",
                    "compute_host_id",
                    String.valueOf(host),
                    "reservation_id",
                    reservation);
        }
    }

    /** Returns the API's response for each lease, by id. */
    Map<String, JsonNode> leases() throws SQLException {
        Map<String, JsonNode> leases = new LinkedHashMap<>();
        JsonMapper json = JsonMapper.builder().build();
        try (var statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(LEASES)) {
            while (rows.next()) {
                JsonNode lease = json.readTree(rows.getString(1));
                leases.put(lease.path("id").asString(), lease);
            }
        }
        return leases;
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
