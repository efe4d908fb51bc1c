package org.leasehold.command.inventory;

import org.leasehold.inventory.PropertyVisibility;
import org.leasehold.inventory.ResourceCommand;
import org.leasehold.inventory.ResourceCommand.ChangeResource;
import org.leasehold.inventory.ResourceCommand.DisableResource;
import org.leasehold.inventory.ResourceCommand.EnableResource;
import org.leasehold.inventory.ResourceCommand.EnrolResource;
import org.leasehold.inventory.ResourceCommand.ReportAttributes;
import org.leasehold.inventory.ResourceCommand.ReportOutage;
import org.leasehold.inventory.ResourceCommand.RetireResource;
import org.leasehold.inventory.ResourceEvent;
import org.leasehold.inventory.ResourceEvent.ResourceChanged;
import org.leasehold.inventory.ResourceEvent.ResourceDescribed;
import org.leasehold.inventory.ResourceEvent.ResourceDisabled;
import org.leasehold.inventory.ResourceEvent.ResourceEnabled;
import org.leasehold.inventory.ResourceEvent.ResourceEnrolled;
import org.leasehold.inventory.ResourceEvent.ResourceRetired;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.vocabulary.LeaseId;
import org.springframework.jdbc.core.simple.JdbcClient;

import tools.jackson.databind.json.JsonMapper;

import java.nio.charset.StandardCharsets;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

/** The inventory in PostgreSQL tables. Expects the isolation level READ COMMITTED. */
final class PostgresInventory implements Inventory {

    private static final JsonMapper JSON = new JsonMapper();

    // The first of the two numbers of PostgreSQL's advisory locks; the second is the name's hash.
    private static final int NAMES = 0x4E41_4D45;

    private final JdbcClient jdbc;

    PostgresInventory(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    @Override
    public ResourceConstraints readConstraints(ResourceCommand command, Instant now) {
        return switch (command) {
            case EnrolResource enrol ->
                    new ResourceConstraints(lockNameAndCheckTaken(enrol), List.of());
            case ChangeResource _,
                    DisableResource _,
                    EnableResource _,
                    ReportAttributes _,
                    ReportOutage _,
                    RetireResource _ -> {
                lock(command.resourceId());
                yield new ResourceConstraints(false, reliances(command.resourceId(), now));
            }
        };
    }

    /**
     * Locks the name itself, because there is no row to lock yet. The query of the table is a
     * separate statement: its snapshot is taken after the lock was granted.
     */
    private boolean lockNameAndCheckTaken(EnrolResource command) {
        jdbc.sql("SELECT pg_advisory_xact_lock(?, hashtext(?))")
                .param(NAMES)
                .param(command.kind() + "/" + command.name())
                .query((row, number) -> "locked")
                .single();
        return jdbc.sql(
                        """
                        SELECT EXISTS (
                            SELECT FROM resource WHERE kind = ? AND name = ? AND state <> 'RETIRED')
                        """)
                .param(command.kind().value())
                .param(command.name())
                .query(Boolean.class)
                .single();
    }

    private void lock(ResourceId resource) {
        jdbc.sql("SELECT resource_id FROM resource WHERE resource_id = ? FOR UPDATE")
                .param(resource.value())
                .query(Long.class)
                .optional();
    }

    /** Returns the leases that rely on the resource, also holders whose claim is over. */
    private List<ResourceConstraints.Reliance> reliances(ResourceId resource, Instant now) {
        return jdbc.sql(
                        """
                        SELECT lease_id, relies_on, lower(during) AS since
                          FROM claim WHERE resource_id = :resource AND upper(during) > :now
                        UNION ALL
                        SELECT lease_id, '{}', since FROM holder WHERE resource_id = :resource
                        ORDER BY since, lease_id
                        """)
                .param("resource", resource.value())
                .param("now", utc(now))
                .query((row, number) -> reliance(row))
                .list();
    }

    private static ResourceConstraints.Reliance reliance(ResultSet row) throws SQLException {
        Array properties = row.getArray("relies_on");
        return new ResourceConstraints.Reliance(
                new LeaseId(row.getObject("lease_id", UUID.class)),
                Set.copyOf(Arrays.asList((String[]) properties.getArray())));
    }

    @Override
    public void record(ResourceEvent event, Instant now) {
        switch (event) {
            case ResourceEnrolled enrolled -> insert(enrolled, now);
            case ResourceChanged changed -> change(changed, now);
            case ResourceDescribed described -> describe(described, now);
            case ResourceDisabled disabled ->
                    jdbc.sql(
                                    """
                                    UPDATE resource
                                       SET state = 'DISABLED', disabled_reason = ?, updated_at = ?
                                     WHERE resource_id = ?
                                    """)
                            .param(disabled.reason())
                            .param(utc(now))
                            .param(disabled.resourceId().value())
                            .update();
            case ResourceEnabled enabled -> updateState(enabled.resourceId(), "ENROLLED", now);
            case ResourceRetired retired -> updateState(retired.resourceId(), "RETIRED", now);
        }
    }

    private void insert(ResourceEnrolled event, Instant now) {
        jdbc.sql(
                        """
                        INSERT INTO resource (resource_id, kind, name, region, zone, state,
                                              attributes, capabilities, created_at)
                        VALUES (?, ?, ?, ?, ?, 'ENROLLED', ?::jsonb, ?::jsonb, ?)
                        """)
                .param(event.resourceId().value())
                .param(event.kind().value())
                .param(event.name())
                .param(event.region())
                .param(event.zone())
                .param(JSON.writeValueAsString(event.attributes()))
                .param(JSON.writeValueAsString(event.capabilities()))
                .param(utc(now))
                .update();
        reserveNumber(event.resourceId());
        addProperties(event.kind(), event.capabilities().keySet(), now);
    }

    /** Skips an id that was assigned elsewhere, so that the sequence does not return it. */
    private void reserveNumber(ResourceId resource) {
        jdbc.sql(
                        """
                        SELECT count(nextval('resource_number'))
                        FROM resource_number, generate_series(last_value + is_called::int, :id)
                        WHERE last_value + is_called::int <= :id
                        """)
                .param("id", resource.value())
                .query(Long.class)
                .single();
    }

    private void change(ResourceChanged event, Instant now) {
        String kind =
                jdbc.sql(
                                """
                                UPDATE resource
                                   SET capabilities = (capabilities || ?::jsonb) - ?, updated_at = ?
                                 WHERE resource_id = ?
                                RETURNING kind
                                """)
                        .param(JSON.writeValueAsString(event.set()))
                        .param(event.removed().toArray(String[]::new))
                        .param(utc(now))
                        .param(event.resourceId().value())
                        .query(String.class)
                        .single();
        addProperties(new ResourceKind(kind), event.set().keySet(), now);
    }

    private void describe(ResourceDescribed event, Instant now) {
        jdbc.sql(
                        """
                        UPDATE resource
                           SET region = ?, zone = ?, attributes = ?::jsonb, updated_at = ?
                         WHERE resource_id = ?
                        """)
                .param(event.region())
                .param(event.zone())
                .param(JSON.writeValueAsString(event.attributes()))
                .param(utc(now))
                .param(event.resourceId().value())
                .update();
    }

    private void updateState(ResourceId resource, String state, Instant now) {
        jdbc.sql(
                        """
                        UPDATE resource SET state = ?, disabled_reason = NULL, updated_at = ?
                         WHERE resource_id = ?
                        """)
                .param(state)
                .param(utc(now))
                .param(resource.value())
                .update();
    }

    // In the order of their names: commands that add the same properties wait for one another, and
    // a fixed order prevents a deadlock.
    private void addProperties(ResourceKind kind, Collection<String> names, Instant now) {
        for (String name : new TreeSet<>(names)) {
            jdbc.sql(
                            """
                            INSERT INTO resource_property (property_id, kind, name, hidden, created_at)
                            VALUES (?, ?, ?, false, ?)
                            ON CONFLICT (kind, name) DO NOTHING
                            """)
                    .param(propertyId(kind, name))
                    .param(kind.value())
                    .param(name)
                    .param(utc(now))
                    .update();
        }
    }

    @Override
    public void record(PropertyVisibility visibility, Instant now) {
        jdbc.sql(
                        """
                        INSERT INTO resource_property
                            (property_id, kind, name, hidden, created_at, updated_at)
                        VALUES (:id, :kind, :name, :hidden, :now, :now)
                        ON CONFLICT (kind, name)
                            DO UPDATE SET hidden = :hidden, updated_at = :now
                        """)
                .param("id", propertyId(visibility.kind(), visibility.property()))
                .param("kind", visibility.kind().value())
                .param("name", visibility.property())
                .param("hidden", visibility.hidden())
                .param("now", utc(now))
                .update();
    }

    private static UUID propertyId(ResourceKind kind, String name) {
        return UUID.nameUUIDFromBytes((kind + "/" + name).getBytes(StandardCharsets.UTF_8));
    }

    private static OffsetDateTime utc(Instant instant) {
        return instant.atOffset(ZoneOffset.UTC);
    }
}
