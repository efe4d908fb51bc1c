package org.leasehold.query.resource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.leasehold.history.RecordedEvent;
import org.leasehold.inventory.PropertyVisibility;
import org.leasehold.inventory.ResourceEvent.ResourceChanged;
import org.leasehold.inventory.ResourceEvent.ResourceDescribed;
import org.leasehold.inventory.ResourceEvent.ResourceDisabled;
import org.leasehold.inventory.ResourceEvent.ResourceEnabled;
import org.leasehold.inventory.ResourceEvent.ResourceEnrolled;
import org.leasehold.inventory.ResourceEvent.ResourceRetired;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

class RebuildableInventoryTest {

    private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");
    private static final ResourceKind HOST = ResourceKind.PHYSICAL_HOST;

    private static InventoryTables tables;

    private final List<RecordedEvent> events = new ArrayList<>();

    @BeforeAll
    static void start() {
        tables = new InventoryTables();
    }

    @AfterAll
    static void stop() throws IOException {
        tables.close();
    }

    @BeforeEach
    void empty() {
        tables.empty();
    }

    @Test
    void a_rebuild_restores_a_lost_inventory_from_the_events() {
        enrol(1, "compute-1", Map.of("gpu", "V100"));
        enrol(2, "compute-2", Map.of());
        enrol(3, "compute-3", Map.of());
        happened(new ResourceChanged(id(1), Map.of("rack", "a"), Set.of("gpu")));
        happened(new ResourceDisabled(id(2), "on fire", List.of()));
        happened(new ResourceDescribed(id(2), "RegionTwo", "az1", Map.of("vcpus", 4), List.of()));
        happened(new ResourceRetired(id(3)));
        happened(new PropertyVisibility(HOST, "rack", true));

        rebuild();

        assertThat(column("name")).containsExactly("compute-1", "compute-2", "compute-3");
        assertThat(column("state")).containsExactly("ENROLLED", "DISABLED", "RETIRED");
        assertThat(column("coalesce(disabled_reason, '')")).containsExactly("", "on fire", "");
        assertThat(column("capabilities")).containsExactly("{\"rack\": \"a\"}", "{}", "{}");
        assertThat(column("attributes->>'vcpus' || region || zone").get(1))
                .isEqualTo("4RegionTwoaz1");
        assertThat(
                        column(
                                "(SELECT string_agg(name || hidden, ' ' ORDER BY name)"
                                        + " FROM resource_property)"))
                .contains("gpufalse racktrue");
        assertThat(column("updated_at - created_at"))
                .containsExactly("00:00:03", "00:00:04", "00:00:04");
    }

    @Test
    void a_rebuild_updates_only_wrong_rows() {
        enrol(1, "compute-1", Map.of("gpu", "V100"));
        enrol(2, "compute-2", Map.of());
        rebuild();
        List<String> before = column("xmin");
        tables.jdbc.sql("UPDATE resource SET zone = 'elsewhere' WHERE resource_id = 2").update();

        rebuild();

        assertThat(column("xmin").getFirst()).isEqualTo(before.getFirst());
        assertThat(column("coalesce(zone, 'none')")).containsExactly("none", "none");
    }

    @Test
    void a_rebuild_restores_swapped_names() {
        enrol(1, "compute-1", Map.of());
        enrol(2, "compute-2", Map.of());
        rebuild();
        tables.jdbc
                .sql(
                        "UPDATE resource SET name = 'x' WHERE resource_id = 1;"
                                + " UPDATE resource SET name = 'compute-1' WHERE resource_id = 2;"
                                + " UPDATE resource SET name = 'compute-2' WHERE resource_id = 1")
                .update();

        rebuild();

        assertThat(column("name || state"))
                .containsExactly("compute-1ENROLLED", "compute-2ENROLLED");
    }

    @Test
    void a_rebuild_deletes_unknown_resources_but_fails_on_a_claimed_one() {
        enrol(1, "compute-1", Map.of());
        happened(new ResourceDisabled(id(1), "on fire", List.of()));
        happened(new ResourceEnabled(id(1)));
        tables.resource(7, HOST.value(), "stray", "ENROLLED", "{}");
        tables.property(UUID.randomUUID(), HOST.value(), "stray", false);

        rebuild();

        assertThat(column("name")).containsExactly("compute-1");
        tables.resource(7, HOST.value(), "stray", "ENROLLED", "{}");
        tables.claim(7, UUID.randomUUID(), UUID.randomUUID(), NOON, NOON.plusSeconds(60), 0);
        assertThatThrownBy(this::rebuild).isInstanceOf(DataIntegrityViolationException.class);
        assertThat(column("name")).containsExactly("compute-1", "stray");
    }

    private void enrol(long number, String name, Map<String, String> capabilities) {
        happened(
                new ResourceEnrolled(
                        id(number), HOST, name, null, null, Map.of("vcpus", 8), capabilities));
    }

    private static ResourceId id(long number) {
        return new ResourceId(number);
    }

    /** Adds an event, one per second; its stream does not matter here. */
    private void happened(Object event) {
        int number = events.size();
        events.add(new RecordedEvent(number + 1, "-", 0, event, NOON.plusSeconds(number)));
    }

    private void rebuild() {
        new TransactionTemplate(new DataSourceTransactionManager(tables.source))
                .executeWithoutResult(
                        _ -> {
                            var draft =
                                    new RebuildableInventory(new JdbcTemplate(tables.source))
                                            .begin();
                            draft.apply(events);
                            draft.finish();
                            draft.lockBeforeAppends();
                            draft.lockAfterAppends();
                            draft.replace();
                        });
    }

    private static List<String> column(String expression) {
        return tables.jdbc
                .sql("SELECT (" + expression + ")::text FROM resource ORDER BY resource_id")
                .query(String.class)
                .list();
    }
}
