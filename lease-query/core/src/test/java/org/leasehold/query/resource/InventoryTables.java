package org.leasehold.query.resource;

import org.leasehold.testdatabase.TestDatabase;
import org.springframework.jdbc.core.simple.JdbcClient;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;

import javax.sql.DataSource;

/** A real PostgreSQL with the tables that the write side updates, filled by hand. */
final class InventoryTables implements AutoCloseable {

    private static final Path MIGRATIONS =
            Path.of("../../lease-command/core/src/main/resources/db/migration");

    private final TestDatabase database =
            TestDatabase.migrated("inventory tables", InventoryTables::migrate);
    final DataSource source = database.dataSource();
    final JdbcClient jdbc = JdbcClient.create(source);

    private static void migrate(DataSource empty) {
        try {
            for (String each : List.of("V2__calendar.sql", "V54__pages_of_resources.sql")) {
                JdbcClient.create(empty).sql(Files.readString(MIGRATIONS.resolve(each))).update();
            }
            // The only columns of the leases' read model that these queries use.
            JdbcClient.create(empty)
                    .sql("CREATE TABLE lease (lease_id uuid PRIMARY KEY, starts timestamptz)")
                    .update();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void empty() {
        jdbc.sql("TRUNCATE claim, holder, resource, resource_property, lease").update();
    }

    void resource(long id, String kind, String name, String state, String capabilities) {
        jdbc.sql(
                        """
                        INSERT INTO resource (resource_id, kind, name, zone, state, disabled_reason,
                                              attributes, capabilities, created_at, updated_at)
                        VALUES (:id, :kind, :name, 'nova', :state,
                                CASE :state WHEN 'DISABLED' THEN 'broken fan' END,
                                '{"vcpus": 8, "load": 0.5, "big": 5000000000, "cpu_info": null}',
                                :capabilities::jsonb, '2026-11-21T00:33:09.123456Z',
                                CASE :state WHEN 'DISABLED' THEN timestamptz '2026-11-22T00:00Z' END)
                        """)
                .param("id", id)
                .param("kind", kind)
                .param("name", name)
                .param("state", state)
                .param("capabilities", capabilities)
                .update();
    }

    /** Adds resources with the next ids, and lets the planner know. */
    void manyResources(String kind, int number) {
        jdbc.sql(
                        """
                        INSERT INTO resource (resource_id, kind, name, state, attributes,
                                              capabilities, created_at)
                        SELECT last + n, :kind, 'r' || n, 'ENROLLED', '{}', '{}', now()
                          FROM (SELECT coalesce(max(resource_id), 0) AS last FROM resource) r,
                               generate_series(1, :number) n
                        """)
                .param("kind", kind)
                .param("number", number)
                .update();
        jdbc.sql("ANALYZE resource").update();
    }

    void claim(
            long resource, UUID lease, UUID reservation, Instant start, Instant end, int cleaning) {
        jdbc.sql(
                        """
                        INSERT INTO claim (resource_id, within, during, occupancy, reservation_id,
                                           lease_id, project_id, cleaning, relies_on)
                        VALUES (:resource, '00000000-0000-0000-0000-000000000000',
                                tstzrange(:start, :end::timestamptz + make_interval(mins => :cleaning)),
                                :reservation, :reservation, :lease, 'p1',
                                make_interval(mins => :cleaning), '{}')
                        """)
                .param("resource", resource)
                .param("start", start.atOffset(ZoneOffset.UTC))
                .param("end", end.atOffset(ZoneOffset.UTC))
                .param("cleaning", cleaning)
                .param("reservation", reservation)
                .param("lease", lease)
                .update();
    }

    void lease(UUID id, Instant start) {
        jdbc.sql("INSERT INTO lease VALUES (?, ?)")
                .param(id)
                .param(start.atOffset(ZoneOffset.UTC))
                .update();
    }

    void property(UUID id, String kind, String name, boolean hidden) {
        jdbc.sql(
                        """
                        INSERT INTO resource_property VALUES
                            (?, ?, ?, ?, '2026-11-21T00:00Z', '2026-11-22T00:00Z')
                        """)
                .param(id)
                .param(kind)
                .param(name)
                .param(hidden)
                .update();
    }

    @Override
    public void close() {
        database.close();
    }
}
