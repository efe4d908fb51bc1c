package org.leasehold.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.leasehold.resource.simulator.BehaviorRule;
import org.leasehold.resource.simulator.InjectedFault;
import org.leasehold.runtime.Client.Answer;
import org.leasehold.runtime.DemoProject.Lease;

import tools.jackson.databind.JsonNode;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Tests leases of running stacks that shrink, on the whole product. */
class StackReductionIT {

    private static final String KIND = "virtual:stack";

    /** The capacities of the simulated cloud's volume types in GiB. */
    private static final int GOLD = 1_000;

    private static final int SILVER = 4_000;

    @TempDir private static Path folder;
    private static Product product;
    private static DemoProject tenant;

    @BeforeAll
    static void start() {
        product = Product.start(folder);
        tenant = new DemoProject(product);
    }

    @AfterEach
    void openGate() {
        product.gate().open();
        product.cloud().clearBehaviorRules();
    }

    @AfterAll
    static void verifyAndStop() {
        Await.until("the processes have followed", () -> product.unfollowed() == 0);
        assertThat(product.verify()).isEmpty();
        product.close();
    }

    @Test
    void only_the_confirmation_of_the_cloud_frees_capacity() {
        Lease lease =
                running(
                        Map.of(
                                "data", volume("gold", GOLD),
                                "logs", volume("silver", 5),
                                "more", volume("silver", 4)));
        product.gate().close(PluginGate.Action.ADJUST);

        change(lease, Map.of("logs", volume("silver", 5))).expect(200);

        assertThat(request("gold", 1).expect(409).toString())
                .contains("Not enough volumes available");
        request("silver", SILVER - 8).expect(409);
        product.gate().open();
        awaitReduction(lease);
        Lease whole = DemoProject.of(request("gold", GOLD).expect(201).path("lease"));
        Lease rest = DemoProject.of(request("silver", SILVER - 5).expect(201).path("lease"));
        assertThat(tenant.types(lease))
                .endsWith(
                        "ReservationChanged",
                        "ReservationGranted",
                        "ReservationAdjusting",
                        "ReservationChanged",
                        "ReservationGranted",
                        "ReservationAdjusted");
        assertThat(hasPart(lease, "data")).isFalse();
        remove(whole, rest, lease);
    }

    @Test
    void a_failed_change_keeps_the_old_needs_until_a_retry_succeeds() {
        Lease lease = running(twoVolumes(1));
        product.cloud()
                .addBehaviorRule(BehaviorRule.failing("adjust.update_stack", InjectedFault.BROKEN));

        change(lease, Map.of("data", volume("gold", 1))).expect(200);

        tenant.awaitStatus(lease, "ERROR");
        request("gold", 1).expect(409);
        product.cloud().clearBehaviorRules();
        product.as("admin")
                .post("/api/operations/leases/" + lease.id() + "/retry", Map.of())
                .expect(204);
        awaitReduction(lease);
        Lease rest = DemoProject.of(request("gold", GOLD - 1).expect(201).path("lease"));
        remove(rest, lease);
    }

    @Test
    void a_lost_response_of_the_cloud_frees_capacity_once() {
        Lease lease = running(twoVolumes(400));
        product.cloud()
                .addBehaviorRule(
                        BehaviorRule.failing("adjust.update_stack", InjectedFault.TIME_OUT_AFTER)
                                .times(1));

        change(lease, Map.of("data", volume("gold", 400))).expect(200);

        awaitReduction(lease);
        assertThat(tenant.types(lease)).containsOnlyOnce("ReservationAdjusted");
        request("gold", GOLD - 399).expect(409);
        Lease rest = DemoProject.of(request("gold", GOLD - 400).expect(201).path("lease"));
        remove(rest, lease);
    }

    @Test
    void a_dropped_volume_that_the_cloud_keeps_stays_on_the_calendar() {
        Map<String, Object> kept = new HashMap<>(volume("gold", GOLD));
        kept.put("metadata", Map.of("leasehold", Map.of("on_end", "keep")));
        Lease lease = running(Map.of("data", kept, "logs", volume("silver", 9)));

        change(lease, Map.of()).expect(200);

        awaitReduction(lease);
        assertThat(product.cloud().retainedResources()).contains("data");
        request("gold", 1).expect(409);
        Lease rest = DemoProject.of(request("silver", SILVER).expect(201).path("lease"));
        remove(rest, lease);
        Lease after = DemoProject.of(request("gold", GOLD).expect(201).path("lease"));
        remove(after);
    }

    @Test
    void a_kept_volume_that_comes_back_before_the_confirmation_counts_twice() {
        Map<String, Object> kept = new HashMap<>(volume("gold", 400));
        kept.put("deletion_policy", "Retain");
        Lease lease = running(Map.of("data", kept, "logs", volume("silver", 9)));
        product.gate().close(PluginGate.Action.ADJUST);

        change(lease, Map.of("logs", volume("silver", 9))).expect(200);
        change(lease, Map.of("data", kept)).expect(200);
        product.gate().open();

        awaitReduction(lease);
        request("gold", GOLD - 799).expect(409);
        Lease rest = DemoProject.of(request("gold", GOLD - 800).expect(201).path("lease"));
        remove(rest, lease);
    }

    @Test
    void a_swapped_volume_needs_room_for_both() {
        Lease lease = running(Map.of("data", volume("gold", GOLD)));

        assertThat(change(lease, Map.of("other", volume("gold", 1))).expect(409).toString())
                .contains("Not enough volumes available");

        assertThat(hasPart(lease, "data")).isTrue();
        remove(lease);
    }

    @Test
    void freed_capacity_wakes_a_retried_request() {
        Lease lease = running(twoVolumes(GOLD - 600));
        JsonNode created = product.as("demo").post("/api/leases", retried()).expect(201);
        Lease waiting = DemoProject.of(created);
        assertThat(created.path("status").asString()).isEqualTo("retrying");

        change(lease, Map.of("data", volume("gold", GOLD - 600))).expect(200);

        // The next planned attempt is an hour away.
        tenant.awaitStatus(waiting, "PENDING");
        remove(waiting, lease);
    }

    /** Returns a request for 600 GiB that is retried every hour. */
    private static Map<String, Object> retried() {
        Instant start = product.now().plus(Duration.ofHours(1)).truncatedTo(ChronoUnit.MINUTES);
        Map<String, Object> request = new LinkedHashMap<>();
        request.put("name", "waiting");
        request.put("start", start.toString());
        request.put("end", start.plus(Duration.ofHours(1)).toString());
        request.put("if_unavailable", "retry");
        request.put("retry", Map.of("attempts", 1, "interval_seconds", 3_600));
        request.put(
                "reservations",
                List.of(
                        Map.of(
                                "kind",
                                "virtual:volume",
                                "parameters",
                                Map.of("volume_type", "gold", "size", 600))));
        return request;
    }

    private static Lease running(Map<String, ?> resources) {
        Map<String, Object> wish = Map.of("resource_type", KIND, "template", template(resources));
        Lease lease = DemoProject.of(tenant.askNow(wish).expect(201).path("lease"));
        tenant.awaitStatus(lease, "ACTIVE");
        return lease;
    }

    /** Returns two volumes that have all of a type. */
    private static Map<String, Object> twoVolumes(int data) {
        return Map.of("data", volume("gold", data), "more", volume("gold", GOLD - data));
    }

    private static Answer change(Lease lease, Map<String, ?> resources) {
        return tenant.change(
                lease,
                Map.of(
                        "reservations",
                        List.of(
                                Map.of(
                                        "id",
                                        lease.reservation().toString(),
                                        "template",
                                        template(resources)))));
    }

    private static Answer request(String type, int size) {
        return tenant.askNow(
                Map.of("resource_type", "virtual:volume", "volume_type", type, "size", size));
    }

    /** Waits until the calendar has the smaller request. */
    private static void awaitReduction(Lease lease) {
        Await.until(
                () -> "it has shrunk: " + tenant.types(lease),
                () -> {
                    List<String> types = tenant.types(lease);
                    return types.subList(types.lastIndexOf("ReservationAdjusting"), types.size())
                            .contains("ReservationGranted");
                });
    }

    /** Returns whether a lease has a part of a name. */
    private static boolean hasPart(Lease lease, String name) {
        return tenant.show(lease)
                .expect(200)
                .at("/lease/reservations/0/reservations")
                .valueStream()
                .anyMatch(part -> part.path("name").asString().equals(name));
    }

    private static void remove(Lease... leases) {
        for (Lease lease : leases) {
            tenant.delete(lease);
            tenant.awaitStatus(lease, "gone");
        }
    }

    private static Map<String, Object> template(Map<String, ?> resources) {
        return Map.of("heat_template_version", "2018-08-31", "resources", resources);
    }

    private static Map<String, Object> volume(String type, int size) {
        return Map.of(
                "type",
                "OS::Cinder::Volume",
                "properties",
                Map.of("size", size, "volume_type", type));
    }
}
