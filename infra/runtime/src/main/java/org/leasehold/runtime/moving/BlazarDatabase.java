package org.leasehold.runtime.moving;

import org.jspecify.annotations.Nullable;
import org.leasehold.runtime.moving.BlazarSnapshot.Event;
import org.leasehold.runtime.moving.BlazarSnapshot.FloatingIp;
import org.leasehold.runtime.moving.BlazarSnapshot.Host;
import org.leasehold.runtime.moving.BlazarSnapshot.Lease;
import org.leasehold.runtime.moving.BlazarSnapshot.Property;
import org.leasehold.runtime.moving.BlazarSnapshot.Reservation;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Reads the database of a Blazar, on MariaDB or PostgreSQL. Blazar may run meanwhile: the read is a
 * snapshot of one moment, and nothing is written.
 */
final class BlazarDatabase {

    /** A revision without the inventories and traits of hosts. */
    private static final String RESOURCE_PROPERTIES = "02e2f2186d98";

    private static final String INVENTORIES = "553383923ca0";

    /** The columns for the numbers of an instance reservation's request. */
    private static final List<String> SIZE_COLUMNS =
            List.of("vcpus", "memory_mb", "disk_gb", "amount");

    /** Resource classes that Nova reports for every host. */
    private static final List<String> STANDARD_RESOURCE_CLASSES =
            List.of("VCPU", "MEMORY_MB", "DISK_GB");

    private final Connection connection;

    private BlazarDatabase(Connection connection) {
        this.connection = connection;
    }

    /**
     * Reads everything.
     *
     * @param connection to a schema of Blazar; this method begins its transaction
     * @throws IllegalArgumentException if the schema's revision is unknown
     */
    static BlazarSnapshot read(Connection connection) throws SQLException {
        connection.setReadOnly(true);
        connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        connection.setAutoCommit(false);
        try {
            return new BlazarDatabase(connection).read();
        } finally {
            connection.rollback();
        }
    }

    private BlazarSnapshot read() throws SQLException {
        String revision = revision();
        refuseForks();
        return new BlazarSnapshot(
                revision,
                hosts(revision.equals(INVENTORIES)),
                select(
                        "SELECT * FROM resource_properties ORDER BY resource_type, property_name",
                        row ->
                                new Property(
                                        row.text("resource_type"),
                                        row.text("property_name"),
                                        row.isTrue("private"))),
                select(
                        "SELECT * FROM floatingips ORDER BY floating_ip_address, id",
                        row ->
                                new FloatingIp(
                                        row.text("id"),
                                        row.text("floating_network_id"),
                                        row.text("subnet_id"),
                                        row.text("floating_ip_address"),
                                        row.isTrue("reservable"))),
                leases());
    }

    private String revision() throws SQLException {
        List<String> found =
                select("SELECT version_num FROM alembic_version", row -> row.text("version_num"));
        String revision = String.join(", ", found);
        if (!List.of(RESOURCE_PROPERTIES, INVENTORIES).contains(revision)) {
            throw new IllegalArgumentException(
                    "Blazar's schema has the revision %s; known are %s and %s"
                            .formatted(revision, RESOURCE_PROPERTIES, INVENTORIES));
        }
        return revision;
    }

    /**
     * Rejects forks. Some have migrations of the same names that create other tables. Rows that
     * they call deleted are still there, and an import would revive them.
     */
    private void refuseForks() throws SQLException {
        try (ResultSet columns =
                connection
                        .getMetaData()
                        .getColumns(
                                connection.getCatalog(), connection.getSchema(), "%", "deleted")) {
            if (columns.next()) {
                throw new IllegalArgumentException(
                        "Blazar's table %s has a column \"deleted\": this is the schema of a fork"
                                .formatted(columns.getString("TABLE_NAME")));
            }
        }
    }

    private List<Host> hosts(boolean withInventories) throws SQLException {
        Map<String, Map<String, String>> capabilities = new HashMap<>();
        forEachRow(
                """
                SELECT c.computehost_id, p.property_name, c.capability_value
                FROM computehost_extra_capabilities c
                    JOIN resource_properties p ON p.id = c.property_id
                WHERE c.computehost_id IS NOT NULL
                """,
                row ->
                        capabilities
                                .computeIfAbsent(
                                        row.text("computehost_id"), _ -> new LinkedHashMap<>())
                                .put(row.text("property_name"), row.text("capability_value")));
        Map<String, Map<String, Long>> inventories = new HashMap<>();
        Map<String, List<String>> traits = new HashMap<>();
        if (withInventories) {
            forEachRow(
                    "SELECT * FROM computehost_resource_inventory WHERE computehost_id IS NOT NULL",
                    row -> {
                        if (!STANDARD_RESOURCE_CLASSES.contains(row.text("resource_class"))) {
                            inventories
                                    .computeIfAbsent(
                                            row.text("computehost_id"), _ -> new LinkedHashMap<>())
                                    .put(row.text("resource_class"), row.capacity());
                        }
                    });
            forEachRow(
                    "SELECT computehost_id, trait FROM computehost_trait"
                            + " WHERE computehost_id IS NOT NULL ORDER BY trait",
                    row -> add(traits, row.text("computehost_id"), row.text("trait")));
        }
        return select(
                "SELECT * FROM computehosts ORDER BY id",
                row -> {
                    String id = row.text("id");
                    return new Host(
                            id,
                            row.textOrNull("hypervisor_hostname"),
                            attributes(row),
                            row.text("availability_zone"),
                            row.isTrue("reservable"),
                            capabilities.getOrDefault(id, Map.of()),
                            inventories.getOrDefault(id, Map.of()),
                            traits.getOrDefault(id, List.of()));
                });
    }

    private static Map<String, @Nullable Object> attributes(BlazarRow row) throws SQLException {
        Map<String, @Nullable Object> attributes = new LinkedHashMap<>();
        for (String name :
                List.of("hypervisor_hostname", "service_name", "hypervisor_type", "cpu_info")) {
            attributes.put(name, row.textOrNull(name));
        }
        for (String name : List.of("hypervisor_version", "vcpus", "memory_mb", "local_gb")) {
            attributes.put(name, row.number(name));
        }
        return attributes;
    }

    private List<Lease> leases() throws SQLException {
        Map<String, List<Reservation>> reservations = reservations();
        Map<String, List<Event>> events = new HashMap<>();
        forEachRow(
                "SELECT * FROM events WHERE lease_id IS NOT NULL ORDER BY created_at, id",
                row ->
                        add(
                                events,
                                row.text("lease_id"),
                                new Event(
                                        row.text("id"),
                                        row.text("event_type"),
                                        row.instant("time"),
                                        row.text("status"),
                                        row.dates())));
        return select(
                "SELECT * FROM leases ORDER BY created_at, id",
                row -> {
                    String id = row.text("id");
                    return new Lease(
                            id,
                            row.text("name"),
                            row.textOrNull("user_id"),
                            row.textOrNull("project_id"),
                            Objects.requireNonNull(row.instant("start_date")),
                            Objects.requireNonNull(row.instant("end_date")),
                            row.textOrNull("status"),
                            row.dates(),
                            reservations.getOrDefault(id, List.of()),
                            events.getOrDefault(id, List.of()));
                });
    }

    private Map<String, List<Reservation>> reservations() throws SQLException {
        Map<String, Map<String, @Nullable Object>> parameters = new HashMap<>();
        Map<String, Map<String, Object>> cloudIds = new HashMap<>();
        forEachRow(
                "SELECT * FROM computehost_reservations WHERE reservation_id IS NOT NULL",
                row -> {
                    parameters.put(row.text("reservation_id"), hostParameters(row));
                    cloudIds.put(row.text("reservation_id"), aggregate(row));
                });
        forEachRow(
                "SELECT * FROM instance_reservations WHERE reservation_id IS NOT NULL",
                row -> {
                    parameters.put(row.text("reservation_id"), instanceParameters(row));
                    cloudIds.put(row.text("reservation_id"), cloudIds(row));
                });
        Map<String, List<String>> required = new HashMap<>();
        forEachRow(
                "SELECT * FROM required_floatingips WHERE floatingip_reservation_id IS NOT NULL"
                        + " ORDER BY created_at, id",
                row -> add(required, row.text("floatingip_reservation_id"), row.text("address")));
        forEachRow(
                "SELECT * FROM floatingip_reservations WHERE reservation_id IS NOT NULL",
                row -> {
                    Map<String, @Nullable Object> values = new LinkedHashMap<>();
                    values.put("network_id", row.text("network_id"));
                    values.put("amount", row.number("amount"));
                    values.put(
                            "required_floatingips",
                            required.getOrDefault(row.text("id"), List.of()));
                    parameters.put(row.text("reservation_id"), values);
                });
        Map<String, List<String>> hosts = allocations("computehost_allocations", "compute_host_id");
        Map<String, List<String>> ips = allocations("floatingip_allocations", "floatingip_id");
        Map<String, List<Reservation>> byLease = new HashMap<>();
        forEachRow(
                "SELECT * FROM reservations ORDER BY created_at, id",
                row -> {
                    String id = row.text("id");
                    add(
                            byLease,
                            row.text("lease_id"),
                            new Reservation(
                                    id,
                                    row.text("resource_type"),
                                    row.text("status"),
                                    row.isTrue("missing_resources"),
                                    row.isTrue("resources_changed"),
                                    row.dates(),
                                    parameters.get(id),
                                    cloudIds.getOrDefault(id, Map.of()),
                                    hosts.getOrDefault(id, List.of()),
                                    ips.getOrDefault(id, List.of())));
                });
        return byLease;
    }

    private static Map<String, @Nullable Object> hostParameters(BlazarRow row) throws SQLException {
        Map<String, @Nullable Object> parameters = new LinkedHashMap<>();
        String[] range = row.text("count_range").split("-", 2);
        parameters.put("min", range[0].strip());
        parameters.put("max", range[range.length - 1].strip());
        parameters.put("hypervisor_properties", row.textOrNull("hypervisor_properties"));
        parameters.put("resource_properties", row.textOrNull("resource_properties"));
        parameters.put("before_end", row.text("before_end"));
        return parameters;
    }

    private static Map<String, @Nullable Object> instanceParameters(BlazarRow row)
            throws SQLException {
        Map<String, @Nullable Object> parameters = new LinkedHashMap<>();
        for (String name : SIZE_COLUMNS) {
            parameters.put(name, row.number(name));
        }
        parameters.put(
                "affinity", row.textOrNull("affinity") == null ? null : row.isTrue("affinity"));
        parameters.put("resource_properties", row.textOrNull("resource_properties"));
        return parameters;
    }

    private static Map<String, Object> aggregate(BlazarRow row) throws SQLException {
        return row.textOrNull("aggregate_id") == null
                ? Map.of()
                : Map.of("aggregate_id", row.number("aggregate_id"));
    }

    private static Map<String, Object> cloudIds(BlazarRow row) throws SQLException {
        Map<String, Object> ids = new LinkedHashMap<>(aggregate(row));
        @Nullable String group = row.textOrNull("server_group_id");
        if (group != null) {
            ids.put("server_group_id", group);
        }
        return ids;
    }

    private Map<String, List<String>> allocations(String table, String resource)
            throws SQLException {
        Map<String, List<String>> allocations = new HashMap<>();
        forEachRow(
                """
                SELECT reservation_id, %1$s FROM %2$s
                WHERE reservation_id IS NOT NULL AND %1$s IS NOT NULL ORDER BY %1$s
                """
                        .formatted(resource, table),
                row -> add(allocations, row.text("reservation_id"), row.text(resource)));
        return allocations;
    }

    private static <T> void add(Map<String, List<T>> lists, String key, T value) {
        lists.computeIfAbsent(key, _ -> new ArrayList<>()).add(value);
    }

    private <T> List<T> select(String query, Reading<T> reading) throws SQLException {
        List<T> all = new ArrayList<>();
        forEachRow(query, row -> all.add(reading.readRow(row)));
        return all;
    }

    private void forEachRow(String query, Visit visit) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            while (rows.next()) {
                visit.accept(new BlazarRow(rows));
            }
        }
    }

    @FunctionalInterface
    private interface Reading<T> {

        T readRow(BlazarRow row) throws SQLException;
    }

    @FunctionalInterface
    private interface Visit {

        void accept(BlazarRow row) throws SQLException;
    }
}
