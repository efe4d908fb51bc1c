package org.leasehold.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.leasehold.resource.simulator.volume.SimulatedVolume;
import org.leasehold.runtime.Client.Answer;
import org.leasehold.runtime.DemoProject.Lease;
import org.leasehold.vocabulary.ProjectId;

import tools.jackson.databind.JsonNode;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/** Tests the lifecycle of leases of volumes, from the enrolment to the clean-up in the cloud. */
class VolumeLifecycleIT {

    private static final String KIND = "virtual:volume";
    private static final String NOT_ENOUGH = "Not enough volumes available";

    @TempDir private static Path folder;
    private static Product product;
    private static DemoProject tenant;

    @BeforeAll
    static void start() {
        product = Product.start(folder);
        tenant = new DemoProject(product);
    }

    @AfterAll
    static void verifyAndStop() {
        Await.until("the processes have followed", () -> product.unfollowed() == 0);
        assertThat(product.verify()).isEmpty();
        product.close();
    }

    @Test
    void an_active_lease_has_a_volume_that_can_grow_and_the_end_deletes_it() {
        JsonNode bronze =
                product.as("admin")
                        .post("/api/resources", Map.of("kind", KIND, "name", "bronze"))
                        .expect(201);
        assertThat(bronze.at("/attributes/VOLUME_GB").asInt()).isEqualTo(10_000);

        JsonNode accepted = ask("bronze", 6_000, "data").expect(201).path("lease");
        Lease lease = DemoProject.of(accepted);
        JsonNode reservation = accepted.path("reservations").path(0);
        assertThat(reservation.path("resource_type").asString()).isEqualTo(KIND);
        assertThat(reservation.path("size").asInt()).isEqualTo(6_000);
        assertThat(reservation.path("on_end").asString()).isEqualTo("delete");
        tenant.awaitStatus(lease, "ACTIVE");
        SimulatedVolume volume = volume("data");
        assertThat(volume.type()).isEqualTo("bronze");
        assertThat(volume.size()).isEqualTo(6_000);
        assertThat(volume.reservation()).isEqualTo(lease.reservation());
        assertThat(volume.project().value()).isEqualTo(accepted.path("project_id").asString());

        assertThat(ask("bronze", 4_001, "other").expect(409).toString()).contains(NOT_ENOUGH);
        Lease beside = DemoProject.of(ask("bronze", 4_000, "beside").expect(201).path("lease"));
        tenant.awaitStatus(beside, "ACTIVE");
        assertThat(change(lease, Map.of("size", 6_001)).expect(409).toString())
                .contains(NOT_ENOUGH);
        assertThat(change(lease, Map.of("size", 5_999)).expect(400).toString())
                .contains("A volume that is there never shrinks: its size is 6000 GiB");
        tenant.delete(beside);
        tenant.awaitStatus(beside, "gone");

        change(lease, Map.of("size", 10_000)).expect(200);
        Await.until("it has grown", () -> volume("data").size() == 10_000);
        assertThat(volume("data").id()).isEqualTo(volume.id());

        tenant.end(lease);
        tenant.awaitStatus(lease, "TERMINATED");
        assertThat(product.cloud().volumes()).noneMatch(left -> left.type().equals("bronze"));
    }

    @Test
    void a_volume_with_on_end_snapshot_is_kept_with_a_snapshot() {
        Map<String, Object> wish = new HashMap<>(wish("gold", 10, "kept"));
        wish.put("on_end", "delete");
        Lease lease = DemoProject.of(tenant.askNow(wish).expect(201).path("lease"));
        tenant.awaitStatus(lease, "ACTIVE");
        product.cloud().attachVolume(volume("kept").id());
        change(lease, Map.of("on_end", "snapshot")).expect(200);

        tenant.end(lease);
        tenant.awaitStatus(lease, "TERMINATED");

        SimulatedVolume left = volume("kept");
        assertThat(left.reservation()).isNull();
        assertThat(left.attached()).isFalse();
        assertThat(product.cloud().volumeSnapshots(left.id())).containsExactly(lease.reservation());
    }

    @Test
    void an_existing_volume_is_leased_and_released_at_the_end() {
        UUID id =
                product.cloud()
                        .createVolume("silver", 1_000, "mine", new ProjectId(project()))
                        .orElseThrow()
                        .id();
        Lease lease =
                DemoProject.of(
                        tenant.askNow(Map.of("resource_type", KIND, "volume_id", id.toString()))
                                .expect(201)
                                .path("lease"));
        tenant.awaitStatus(lease, "ACTIVE");
        assertThat(volume("mine").reservation()).isEqualTo(lease.reservation());

        tenant.end(lease);
        tenant.awaitStatus(lease, "TERMINATED");
        assertThat(volume("mine").reservation()).isNull();
    }

    @Test
    void a_volume_type_that_is_not_enrolled_is_refused() {
        assertThat(ask("platinum", 1, "x").expect(409).toString()).contains(NOT_ENOUGH);
        assertThat(tenant.askNow(Map.of("resource_type", KIND, "size", 1)).expect(400).toString())
                .contains("Missing parameter volume_type");
    }

    private static String project() {
        Lease lease = DemoProject.of(ask("gold", 1, "whose").expect(201).path("lease"));
        String project = tenant.show(lease).expect(200).at("/lease/project_id").asString();
        tenant.delete(lease);
        return project;
    }

    private static Map<String, Object> wish(String type, int size, String name) {
        return Map.of("resource_type", KIND, "volume_type", type, "size", size, "name", name);
    }

    private static Answer ask(String type, int size, String name) {
        return tenant.askNow(wish(type, size, name));
    }

    private static Answer change(Lease lease, Map<String, Object> fields) {
        return tenant.changeReservation(lease, fields);
    }

    private static SimulatedVolume volume(String name) {
        return product.cloud().volumes().stream()
                .filter(volume -> volume.name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
