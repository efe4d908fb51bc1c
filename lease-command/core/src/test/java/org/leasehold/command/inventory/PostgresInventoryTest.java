package org.leasehold.command.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.command.inventory.ResourceConstraints.Reliance;
import org.leasehold.command.inventory.ResourceDecision.Accepted;
import org.leasehold.command.inventory.ResourceDecision.Rejected;
import org.leasehold.inventory.PropertyVisibility;
import org.leasehold.inventory.ResourceCommand.ChangeResource;
import org.leasehold.inventory.ResourceCommand.DisableResource;
import org.leasehold.inventory.ResourceCommand.EnableResource;
import org.leasehold.inventory.ResourceCommand.EnrolResource;
import org.leasehold.inventory.ResourceCommand.ReportAttributes;
import org.leasehold.inventory.ResourceCommand.RetireResource;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.vocabulary.LeaseId;

import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** The stored resources and their properties. */
class PostgresInventoryTest extends PostgresInventoryFixture {

    private static final Instant LATER = NOW.plusSeconds(60);
    private static final UUID WEEKLY = new UUID(0, 2);

    @Test
    void an_enrolled_resource_is_stored_with_attributes_and_capabilities() {
        Map<String, Object> attributes = new HashMap<>();
        attributes.put("vcpus", 8);
        attributes.put("cpu_info", null);
        send(
                new EnrolResource(
                        new ResourceId(7),
                        ResourceKind.PHYSICAL_HOST,
                        "compute-7",
                        "RegionOne",
                        null,
                        attributes,
                        Map.of("gpu", "V100")));

        assertThat(row(7))
                .containsEntry("kind", "physical:host")
                .containsEntry("name", "compute-7")
                .containsEntry("region", "RegionOne")
                .containsEntry("zone", null)
                .containsEntry("state", "ENROLLED")
                .containsEntry("attributes", "{\"vcpus\": 8, \"cpu_info\": null}")
                .containsEntry("capabilities", "{\"gpu\": \"V100\"}")
                .containsEntry("created", NOW)
                .containsEntry("updated", null);
    }

    @Test
    void an_explicit_resource_id_is_never_generated_later() {
        long next = nextNumber();
        enrol(next + 1, "compute-1", Map.of());
        assertThat(nextNumber()).isEqualTo(next + 2);
        enrol(next + 40, "compute-2", Map.of());
        assertThat(nextNumber()).isEqualTo(next + 41);
    }

    private long nextNumber() {
        return database.jdbc.sql("SELECT nextval('resource_number')").query(Long.class).single();
    }

    @Test
    void the_first_resource_id_may_be_explicit() {
        database.jdbc.sql("ALTER SEQUENCE resource_number RESTART").update();
        enrol(1, "compute-1", Map.of());
        assertThat(nextNumber()).isEqualTo(2);
    }

    @Test
    void a_change_keeps_the_capabilities_that_it_does_not_name() {
        enrol(7, Map.of("gpu", "V100", "rack", "a", "old", "x"));
        send(
                new ChangeResource(
                        new ResourceId(7), Map.of("rack", "b", "ssd", "yes"), Set.of("old")),
                LATER);

        assertThat(row(7))
                .containsEntry(
                        "capabilities", "{\"gpu\": \"V100\", \"ssd\": \"yes\", \"rack\": \"b\"}")
                .containsEntry("updated", LATER);
        assertThat(properties()).containsOnlyKeys("gpu", "old", "rack", "ssd");
    }

    @Test
    void reported_attributes_replace_old_attributes_and_keep_capabilities() {
        enrol(1, Map.of("gpu", "V100"));

        send(
                new ReportAttributes(
                        new ResourceId(1), "RegionTwo", null, Map.of("memory_mb", 2048)),
                LATER);

        assertThat(row(1))
                .containsEntry("attributes", "{\"memory_mb\": 2048}")
                .containsEntry("capabilities", "{\"gpu\": \"V100\"}")
                .containsEntry("region", "RegionTwo")
                .containsEntry("zone", null)
                .containsEntry("updated", LATER);
    }

    @Test
    void a_disabled_resource_has_a_reason_until_it_is_enabled() {
        enrol(7, Map.of());
        send(new DisableResource(new ResourceId(7), "broken fan"), LATER);

        assertThat(row(7))
                .containsEntry("state", "DISABLED")
                .containsEntry("disabled_reason", "broken fan")
                .containsEntry("updated", LATER);

        send(new EnableResource(new ResourceId(7)), LATER);

        assertThat(row(7))
                .containsEntry("state", "ENROLLED")
                .containsEntry("disabled_reason", null);
    }

    @Test
    void a_name_is_free_again_after_the_retirement() {
        enrol(7, Map.of());
        assertThat(enrol(8, "compute-7", Map.of())).isInstanceOf(Rejected.class);
        send(new RetireResource(new ResourceId(7)));
        assertThat(row(7)).containsEntry("state", "RETIRED");
        assertThat(enrol(8, "compute-7", Map.of())).isInstanceOf(Accepted.class);
    }

    @Test
    void resources_of_different_kinds_may_share_a_name() {
        enrol(7, "shared", Map.of());

        assertThat(
                        send(
                                new EnrolResource(
                                        new ResourceId(8),
                                        new ResourceKind("sample:desk"),
                                        "shared",
                                        null,
                                        null,
                                        Map.of(),
                                        Map.of())))
                .isInstanceOf(Accepted.class);
    }

    @Test
    void only_holders_and_unexpired_claims_rely_on_a_resource() {
        enrol(7, Map.of());
        enrol(8, Map.of());
        UUID past = new UUID(0, 3);
        UUID overdue = new UUID(0, 4);
        UUID elsewhere = new UUID(0, 5);
        ResourceId seven = new ResourceId(7);
        database.claim(seven, past, NOW.minusSeconds(3600), NOW, "gpu");
        database.claim(seven, WEEKLY, NOW.plusSeconds(7200), NOW.plusSeconds(9000));
        database.claim(seven, NIGHTLY, NOW, NOW.plusSeconds(7200), "gpu", "vcpus");
        database.claim(new ResourceId(8), elsewhere, NOW, NOW.plusSeconds(7200), "gpu");
        hold(7, overdue, NOW.minusSeconds(1800));

        ResourceConstraints standing =
                database.inTransaction(
                        () -> database.inventory.readConstraints(new RetireResource(seven), NOW));

        assertThat(standing.reliances())
                .containsExactly(
                        new Reliance(new LeaseId(overdue), Set.of()),
                        new Reliance(new LeaseId(NIGHTLY), Set.of("gpu", "vcpus")),
                        new Reliance(new LeaseId(WEEKLY), Set.of()));
    }

    private void hold(long resource, UUID lease, Instant since) {
        database.jdbc
                .sql("INSERT INTO holder VALUES (?, ?, ?, 1, ?)")
                .param(resource)
                .param(UUID.randomUUID())
                .param(lease)
                .param(since.atOffset(ZoneOffset.UTC))
                .update();
    }

    @Test
    void a_property_is_visible_by_default_and_keeps_the_id_when_hidden() {
        enrol(7, Map.of("gpu", "V100"));
        Map<String, Object> before = properties().get("gpu");
        assertThat(before).containsEntry("hidden", false).containsEntry("updated", null);

        show("gpu", true);

        assertThat(properties().get("gpu"))
                .containsEntry("hidden", true)
                .containsEntry("updated", LATER)
                .containsEntry("property_id", before.get("property_id"))
                .containsEntry("created", before.get("created"));
    }

    private void show(String property, boolean hidden) {
        database.inTransaction(
                () -> {
                    database.inventory.record(
                            new PropertyVisibility(ResourceKind.PHYSICAL_HOST, property, hidden),
                            LATER);
                    return property;
                });
    }

    @Test
    void a_property_can_be_hidden_before_any_resource_has_it() {
        show("capabilities:gpu", true);
        enrol(7, Map.of("gpu", "V100"));

        assertThat(properties().get("gpu")).containsEntry("hidden", true);
    }
}
