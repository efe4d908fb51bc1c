package org.leasehold.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import static java.util.stream.Collectors.toMap;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.leasehold.resource.simulator.BehaviorRule;
import org.leasehold.resource.simulator.InjectedFault;
import org.leasehold.resource.simulator.cloud.SimulatedCloud.Slots;
import org.leasehold.runtime.Client.Answer;
import org.leasehold.runtime.DemoProject.Lease;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/** Tests leases of instances of a flavor, on the four hosts of the first start: 112 cores. */
class FlavorLifecycleIT {

    private static final String NOT_ENOUGH = "Not enough hosts available";

    @TempDir private static Path folder;
    private static Product product;
    private static DemoProject tenant;

    @BeforeAll
    static void start() {
        product =
                Product.start(
                        folder,
                        "leasehold.plugins.simulated-flavors.flavors="
                                + "half=8/1024/1, whole=16/2048/2, theirs=1/512/0@other");
        tenant = new DemoProject(product);
    }

    @AfterAll
    static void verifyAndStop() {
        Await.until("the processes have followed", () -> product.unfollowed() == 0);
        assertThat(product.verify()).isEmpty();
        product.close();
    }

    @AfterEach
    void behaveWell() {
        product.cloud().clearBehaviorRules();
    }

    @Test
    void instances_of_both_kinds_share_hosts_up_to_the_capacity() {
        Lease lease =
                DemoProject.of(
                        tenant.askNow(DemoProject.ofFlavor("half", 13)).expect(201).path("lease"));
        tenant.awaitStatus(lease, "ACTIVE");
        assertThat(slotsOf(lease).values().stream().mapToInt(Integer::intValue).sum())
                .isEqualTo(13);
        Lease sized =
                DemoProject.of(
                        tenant.askNow(DemoProject.instances(1, 8, "")).expect(201).path("lease"));
        tenant.awaitStatus(sized, "ACTIVE");
        assertThat(slotsOf(lease)).containsKeys(slotsOf(sized).keySet().toArray(String[]::new));

        assertThat(tenant.askNow(DemoProject.ofFlavor("half", 1)).text()).contains(NOT_ENOUGH);
        assertThat(tenant.askNow(DemoProject.instances(1, 8, "")).text()).contains(NOT_ENOUGH);
        assertThat(change(lease, Map.of("amount", 14)).text()).contains(NOT_ENOUGH);

        tenant.delete(sized);
        tenant.awaitStatus(sized, "gone");
        change(lease, Map.of("amount", 14)).expect(200);
        Await.until(
                "there is one more",
                () -> slotsOf(lease).values().stream().mapToInt(Integer::intValue).sum() == 14);
        assertThat(change(lease, Map.of("flavor_id", "whole")).text())
                .contains("An active reservation only accepts to update amount.");

        tenant.end(lease);
        tenant.awaitStatus(lease, "TERMINATED");
        assertThat(slotsOf(lease)).isEmpty();
    }

    @Test
    void a_pending_lease_can_change_to_another_flavor_and_shows_it() {
        Lease lease = DemoProject.of(askForLater("half").expect(201).path("lease"));
        assertThat(shown(lease).path("vcpus").asInt()).isEqualTo(8);

        change(lease, Map.of("flavor_id", "whole")).expect(200);

        JsonNode shown = shown(lease);
        assertThat(shown.path("vcpus").asInt()).isEqualTo(16);
        assertThat(shown.path("flavor_id").asString()).isEqualTo(lease.reservation().toString());
        JsonNode source =
                JsonMapper.shared().readTree(shown.path("resource_properties").asString());
        assertThat(source.path("name").asString()).isEqualTo("whole");
        assertThat(tenant.event(lease, "LeaseRequested").orElseThrow().toString())
                .contains("\"flavor\"", "\"memory_mb\":1024");
        tenant.delete(lease);
    }

    @Test
    void a_flavor_of_another_project_answers_404() {
        Answer theirs = tenant.askNow(DemoProject.ofFlavor("theirs", 1));
        assertThat(theirs.expect(404).path("error_message").asString())
                .isEqualTo("Flavor theirs could not be found.");
        Lease lease = DemoProject.of(askForLater("half").expect(201).path("lease"));
        change(lease, Map.of("flavor_id", "theirs")).expect(404);
        assertThat(shown(lease).path("vcpus").asInt()).isEqualTo(8);
        tenant.delete(lease);
    }

    @Test
    void only_requests_that_look_up_a_flavor_fail_with_an_unavailable_cloud() {
        Lease lease = DemoProject.of(askForLater("half").expect(201).path("lease"));
        product.cloud()
                .addBehaviorRule(
                        BehaviorRule.failing("find_flavor", InjectedFault.TIME_OUT_BEFORE));

        askForLater("half").expect(503);
        change(lease, Map.of("flavor_id", "whole")).expect(503);
        change(lease, Map.of("flavor_id", "half", "amount", 2)).expect(200);

        assertThat(shown(lease).path("amount").asInt()).isEqualTo(2);
        tenant.delete(lease);
        tenant.awaitStatus(lease, "gone");
    }

    private static Answer askForLater(String flavor) {
        Instant start = product.now().plus(Duration.ofDays(1));
        return tenant.askLater(
                start, start.plus(Duration.ofHours(1)), DemoProject.ofFlavor(flavor, 1));
    }

    private static Answer change(Lease lease, Map<String, Object> fields) {
        return tenant.changeReservation(lease, fields);
    }

    private static JsonNode shown(Lease lease) {
        return tenant.show(lease).expect(200).at("/lease/reservations/0");
    }

    private static Map<String, Integer> slotsOf(Lease lease) {
        return product.cloud().slots().stream()
                .filter(slots -> slots.reservation().equals(lease.reservation()))
                .collect(toMap(Slots::host, Slots::slots));
    }
}
