package org.leasehold.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Tests the import from a stopped Blazar, in the order of an operator's steps: each step needs the
 * preceding ones.
 */
@TestMethodOrder(OrderAnnotation.class)
@Order(4)
class BlazarImportIT extends BlazarImportFixture {

    @Test
    @Order(1)
    void a_running_engine_blocks_the_import() throws Exception {
        String output = moveIn("--import", "--leasehold.moving.without=" + changing);
        product.close();
        assertThat(output)
                .contains("These stand in the way:\n  node ", ": works")
                .endsWith("as long as anything stands in the way.\n1");
        assertThat(moveIn()).doesNotContain("  node ");
    }

    @Test
    @Order(2)
    void an_unknown_schema_revision_is_rejected() throws Exception {
        revision("a7c4e2f9b1d0");
        assertThatThrownBy(() -> moveIn()).hasStackTraceContaining("revision a7c4e2f9b1d0");
        revision("553383923ca0");
    }

    @Test
    @Order(2)
    void a_schema_with_a_deleted_column_is_rejected() throws Exception {
        blazar.execute("ALTER TABLE computehost_allocations ADD COLUMN deleted varchar(36)");
        assertThatThrownBy(() -> moveIn())
                .hasStackTraceContaining("table computehost_allocations has a column \"deleted\"");
        blazar.execute("ALTER TABLE computehost_allocations DROP COLUMN deleted");
    }

    @Test
    @Order(3)
    void a_blocked_import_lists_the_obstacle_and_stores_no_event() throws Exception {
        assertThat(moveIn("--import"))
                .contains(
                        "These stand in the way:\n  lease " + changing + " (changing): is UPDATING")
                .endsWith("as long as anything stands in the way.\n1");
        assertThat(events()).isZero();
    }

    @Test
    @Order(4)
    void a_dry_run_reports_the_plan_and_settings_and_stores_no_event() throws Exception {
        assertThat(moveIn("--leasehold.moving.without=" + changing))
                .contains(
                        "  leasehold.calendar.cleaning-time=0m\n",
                        "  leasehold.openstack.password=…\n",
                        "  leasehold.plugins.openstack-hosts.isolation=filter\n",
                        "5 resources physical:host come.\n2 resources virtual:floatingip come.\n",
                        "4 leases ACTIVE come.\n1 leases ENDED come.\n1 leases FAILED come.\n5"
                                + " leases PENDING come.\n",
                        "  lease " + changing + " (changing): is to be left behind\n",
                        "  leasehold.lease.max-duration=86400s\n",
                        "  setting enforcement.enabled_filters: ExternalServiceFilter\n",
                        "  plugin dummy.vm.plugin: there is none such here\n")
                .doesNotContain("geheim", "are here already")
                .endsWith("Nothing was done: --import does it.\n0");
        assertThat(events()).isZero();
    }

    @Test
    @Order(5)
    void an_import_succeeds_and_the_verification_finds_no_differences() throws Exception {
        assertThat(moveIn("--import", "--leasehold.moving.without=" + changing))
                .endsWith("Everything has come.\n0");
        // Holders come before waiting leases, and a host out of service is disabled.
        assertThat(
                        query(
                                """
                                SELECT max(position) FILTER (WHERE stage <> 'PENDING')
                                     < min(position) FILTER (WHERE stage = 'PENDING')
                                FROM (SELECT position, payload -> 'past' ->> 'stage' AS stage
                                      FROM domain_event WHERE event_type = 'LeaseImported') e
                                """))
                .isEqualTo("t");
        assertThat(query("SELECT state FROM resource WHERE resource_id = 14"))
                .isEqualTo("DISABLED");
        assertThat(verify()).contains(": 0 differences").endsWith("0");
    }

    @Test
    @Order(6)
    void a_second_import_stores_no_events() throws Exception {
        assertThat(moveIn("--import", "--leasehold.moving.without=" + changing))
                .endsWith("Everything has come.\n0");
        long events = events();
        assertThat(moveIn("--import", "--leasehold.moving.without=" + changing))
                .contains("11 of these leases are here already.\n")
                .endsWith("Everything has come.\n0");
        assertThat(events()).isEqualTo(events);
    }

    @Test
    @Order(7)
    void a_repeated_import_disables_a_host_that_is_not_reservable() throws Exception {
        // The state after an import that stopped after an enrolment.
        blazar.host(30, "compute-7", true);
        assertThat(moveIn("--import", "--leasehold.moving.without=" + changing)).endsWith("0");
        blazar.execute("UPDATE computehosts SET reservable = false WHERE id = '30'");
        assertThat(moveIn("--import", "--leasehold.moving.without=" + changing)).endsWith("0");
        assertThat(query("SELECT state FROM resource WHERE resource_id = 30"))
                .isEqualTo("DISABLED");
    }

    @Test
    @Order(8)
    void leases_changed_in_blazar_after_an_import_block_the_next_import() throws Exception {
        long events = events();
        blazar.execute(
                "UPDATE leases SET end_date = end_date + interval '1 day' WHERE id = '%s'"
                        .formatted(running));
        blazar.execute("DELETE FROM events WHERE lease_id = '%s'".formatted(gone));
        blazar.execute("DELETE FROM leases WHERE id = '%s'".formatted(gone));
        assertThat(moveIn("--import", "--leasehold.moving.without=" + changing))
                .contains(
                        "  lease " + running + " (running): is here as ACTIVE from ",
                        "  lease " + gone + ": has come, and would not now\n")
                .endsWith("as long as anything stands in the way.\n1");
        assertThat(events()).isEqualTo(events);
        blazar.execute(
                "UPDATE leases SET end_date = end_date - interval '1 day' WHERE id = '%s'"
                        .formatted(running));
    }

    @Test
    @Order(9)
    void the_started_engine_shows_the_imported_leases_as_blazar_did() throws Exception {
        createFlavor(withFlavor);
        startProduct();
        // Until the first survey of the cloud, a lease shows that its host is out of service.
        Await.until("the first look has found each host in order", () -> disabled() == 0);
        Map<String, JsonNode> here = new TreeMap<>();
        product.as("admin")
                .get("/v1/leases")
                .expect(200)
                .path("leases")
                .forEach(lease -> here.put(lease.path("id").asString(), comparable(lease)));
        Map<String, JsonNode> there = new TreeMap<>();
        blazar.leases().forEach((id, lease) -> there.put(id, comparable(lease)));
        there.remove(changing);
        here.remove(gone);
        assertThat(here.keySet()).isEqualTo(there.keySet());
        // These change when the clock runs.
        for (String moving : List.of(overdue, due)) {
            here.remove(moving);
            there.remove(moving);
        }
        here.forEach((id, lease) -> assertThat(lease).isEqualTo(there.get(id)));
    }

    @Test
    @Order(10)
    void imported_hosts_keep_their_ids_and_allocations() throws Exception {
        Client admin = product.as("admin");
        JsonNode host = admin.get("/v1/os-hosts/11").expect(200).path("host");
        assertThat(host.path("hypervisor_hostname").asString()).isEqualTo("compute-1");
        assertThat(host.path("gpu").asString()).isEqualTo("V100");
        assertThat(admin.get("/v1/os-hosts/13/allocation").expect(200).toString())
                .contains(running);
        assertThat(admin.get("/v1/os-hosts/12/allocation").expect(200).toString())
                .contains(waiting);
        JsonNode next = admin.post("/v1/os-hosts", Map.of("name", "compute-5")).expect(201);
        assertThat(next.path("host").path("id").asInt()).isGreaterThan(30);
    }

    @Test
    @Order(11)
    void an_overdue_lease_ends_and_the_waiting_lease_starts_after_the_import() {
        awaitStatus(overdue, "TERMINATED");
        awaitStatus(due, "ACTIVE");
        Await.until("the processes have followed", () -> product.unfollowed() == 0);
        assertThat(product.verify()).isEmpty();
    }

    /** Creates the flavor that Blazar has made in the cloud. */
    private static void createFlavor(String reservation) throws SQLException {
        try (Connection connection = DriverManager.getConnection(own.url(), own.user(), "");
                var statement = connection.createStatement()) {
            statement.execute(
                    "INSERT INTO simulated_cloud.flavor VALUES ('%s', 'p1', 2, 2048, 10)"
                            .formatted(reservation));
        }
    }

    private static void awaitStatus(String lease, String status) {
        Client admin = product.as("admin");
        Await.until(
                lease + " is " + status,
                () ->
                        admin.get("/v1/leases/" + lease)
                                .expect(200)
                                .path("lease")
                                .path("status")
                                .asString()
                                .equals(status));
    }

    @Test
    @Order(12)
    void a_deleted_imported_lease_releases_the_host() {
        Client admin = product.as("admin");
        admin.delete("/v1/leases/" + running).expect(204);
        Await.until(
                "its host is free",
                () ->
                        !admin.get("/v1/os-hosts/13/allocation")
                                .expect(200)
                                .toString()
                                .contains(running));
    }

    /** Returns a lease without the omitted fields, in a fixed order. */
    private static JsonNode comparable(JsonNode lease) {
        ObjectNode copy = (ObjectNode) lease.deepCopy();
        copy.remove("trust_id");
        for (String list : List.of("reservations", "events")) {
            List<JsonNode> sorted = new ArrayList<>();
            copy.path(list).forEach(sorted::add);
            sorted.sort(Comparator.comparing(each -> each.path("id").asString()));
            for (JsonNode each : sorted) {
                ((ObjectNode) each).remove("resource_id");
                // The API here returns less of a flavor than Nova did.
                if (each.path("resource_type").asString("").equals("flavor:instance")) {
                    ((ObjectNode) each).remove("resource_properties");
                }
            }
            ArrayNode array = copy.putArray(list);
            sorted.forEach(array::add);
        }
        return copy;
    }
}
