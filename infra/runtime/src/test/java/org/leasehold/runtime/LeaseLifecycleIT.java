package org.leasehold.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.leasehold.resource.simulator.BehaviorRule;
import org.leasehold.resource.simulator.InjectedFault;
import org.leasehold.resource.simulator.cloud.SimulatedCloud;
import org.leasehold.runtime.Client.Answer;
import org.leasehold.runtime.DemoProject.Lease;

import tools.jackson.databind.JsonNode;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Tests the lifecycle of leases, from the HTTP request to the clean-up in the cloud. */
class LeaseLifecycleIT {

    private static final Duration LONG = Duration.ofHours(5);
    private static final Duration HOUR = Duration.ofHours(1);

    @TempDir private static Path folder;
    private static final AdjustableClock CLOCK = new AdjustableClock();
    private static Product product;
    private static DemoProject tenant;

    /** The first start enrols the first four. */
    private static final AtomicInteger LAST_HOST = new AtomicInteger(4);

    @BeforeAll
    static void begin() {
        start();
        CLOCK.toBeginning();
    }

    private static void start() {
        product =
                Product.start(
                        folder,
                        CLOCK,
                        "leasehold.saga.retry-for=1s",
                        ProductApi.PLANS,
                        "leasehold.plugins.simulator.hosts=60");
        tenant = new DemoProject(product);
    }

    /** Verifies all derived rows of all leases against the events. */
    @AfterAll
    static void verifyAndStop() {
        Await.until("the processes have followed", () -> product.unfollowed() == 0);
        assertThat(product.verify()).isEmpty();
        product.close();
    }

    /** Makes each test cross a minute during its requests. */
    @BeforeEach
    void the_clock_is_near_the_end_of_a_minute() {
        CLOCK.toEndOfMinute();
    }

    @AfterEach
    void behaveWell() {
        product.cloud().clearBehaviorRules();
        product.gate().open();
    }

    @Test
    void a_lease_that_starts_now_has_a_host_until_it_is_deleted() {
        Host host = enrol();

        Lease lease = tenant.leaseNow(1, DemoProject.named(host.name()));
        tenant.awaitStatus(lease, "ACTIVE");
        assertThat(tenant.hostsOf(lease)).containsExactly(host.name());
        assertThat(product.cloud().freepool()).doesNotContain(host.name());

        tenant.delete(lease);
        tenant.awaitStatus(lease, "gone");
        assertThat(tenant.isCleanedUp(lease, host.name())).isTrue();
        assertThat(tenant.types(lease))
                .containsExactly(
                        "LeaseRequested",
                        "ReservationGranted",
                        "LeaseStarting",
                        "ReservationActivated",
                        "LeaseActivated",
                        "LeaseEnding",
                        "ReservationReleased",
                        "LeaseEnded",
                        "LeaseDeleted");
    }

    /** Blazar's clients boot servers with the response to a creation, without another query. */
    @Test
    void the_response_for_an_immediate_lease_contains_the_cloud_ids() {
        Map<String, Object> apart =
                new HashMap<>(DemoProject.instances(1, 1, DemoProject.named(enrol().name())));
        apart.put("affinity", "False");
        for (Map<String, Object> asked :
                List.of(apart, DemoProject.hosts(1, 1, DemoProject.named(enrol().name())))) {
            JsonNode lease = tenant.askNow(asked).expect(201).path("lease");
            JsonNode reservation = lease.path("reservations").path(0);

            assertThat(reservation.path("aggregate_id").isInt()).as(lease.toString()).isTrue();
            if (asked == apart) {
                assertThat(UUID.fromString(reservation.path("server_group_id").asString()))
                        .isNotNull();
            }
            Lease created = DemoProject.of(lease);
            tenant.awaitStatus(created, "ACTIVE");
            for (String id : List.of("aggregate_id", "server_group_id")) {
                assertThat(reservation.path(id))
                        .isEqualTo(tenant.show(created).body().at("/lease/reservations/0/" + id));
            }
            tenant.delete(created);
            tenant.awaitStatus(created, "gone");
        }
    }

    @Test
    void the_audit_search_finds_the_user_and_reason_of_a_deletion() {
        Lease lease = tenant.leaseNow(1, DemoProject.named(enrol().name()));
        tenant.awaitStatus(lease, "ACTIVE");
        product.as("demo").deleteBecause("/v1/leases/" + lease.id(), "it is done").expect(204);
        tenant.awaitStatus(lease, "gone");

        JsonNode deleted = tenant.event(lease, "LeaseDeleted").orElseThrow();
        assertThat(deleted.path("user_id").asString()).isEqualTo("demo");
        assertThat(deleted.path("reason").asString()).isEqualTo("it is done");
        String search = "/api/audit/events?type=LeaseDeleted&user=demo&lease=" + lease.id();
        Await.until(
                "the search finds it",
                () -> product.as("admin").get(search).expect(200).path("events").size() == 1);
        JsonNode found = product.as("admin").get(search).expect(200).at("/events/0");
        assertThat(found.path("user_id").asString()).isEqualTo("demo");
        assertThat(found.path("reason").asString()).isEqualTo("it is done");
    }

    @Test
    void one_of_many_concurrent_changes_of_a_version_succeeds() {
        Host host = enrol();
        Instant start = product.now().plus(LONG);
        Lease lease = tenant.lease(start, start.plus(LONG), DemoProject.named(host.name()));
        Client http = product.as("demo");
        String path = "/api/leases/" + lease.id();

        for (int round = 0; round < 5; round++) {
            // A repeated name would be no change, and could not conflict.
            String prefix = round + "-";
            String seen = "\"" + http.get(path).expect(200).path("version").asLong() + "\"";
            Map<Integer, List<String>> answers =
                    IntStream.range(0, 16)
                            .parallel()
                            .mapToObj(
                                    racer ->
                                            http.patchIfMatch(
                                                    path, seen, Map.of("name", prefix + racer)))
                            .collect(
                                    Collectors.groupingBy(
                                            Answer::status,
                                            Collectors.mapping(
                                                    a -> a.body().path("name").asString(),
                                                    Collectors.toList())));
            assertThat(answers).containsOnlyKeys(200, 412);
            assertThat(answers.get(200)).hasSize(1);
            assertThat(http.get(path).body().path("name").asString())
                    .isEqualTo(answers.get(200).getFirst());
        }
    }

    @Test
    void a_lease_ends_at_the_end_of_the_window() {
        Host host = enrol();
        Instant end = product.now().plus(HOUR);

        Lease lease = tenant.leaseUntil(end, DemoProject.named(host.name()));
        tenant.awaitStatus(lease, "ACTIVE");
        CLOCK.set(end);
        tenant.awaitStatus(lease, "TERMINATED");

        assertThat(tenant.isCleanedUp(lease, host.name())).isTrue();
        assertThat(
                        tenant.show(lease)
                                .body()
                                .path("lease")
                                .path("events")
                                .valueStream()
                                .filter(e -> e.path("event_type").asString().equals("end_lease")))
                .allSatisfy(e -> assertThat(e.path("status").asString()).isEqualTo("DONE"))
                .hasSize(1);
    }

    @Test
    void an_early_end_frees_the_calendar_before_the_host() {
        Host host = enrol();
        Lease first = tenant.leaseNow(1, DemoProject.named(host.name()));
        tenant.awaitStatus(first, "ACTIVE");
        product.gate().close(PluginGate.Action.END);

        tenant.end(first);
        Lease second = tenant.leaseNow(1, DemoProject.named(host.name()));
        assertThat(tenant.hostsOf(first)).containsExactly(host.name());
        product.gate().open();

        tenant.awaitStatus(first, "TERMINATED");
        tenant.awaitStatus(second, "ACTIVE");
        assertThat(tenant.hostsOf(first)).isEmpty();
        assertThat(tenant.hostsOf(second)).containsExactly(host.name());
    }

    @Test
    void instances_of_several_leases_share_a_host_up_to_the_capacity() {
        Host host = enrol();
        Lease one = DemoProject.of(askForInstances(1, host).expect(201).path("lease"));
        Lease other = DemoProject.of(askForInstances(1, host).expect(201).path("lease"));
        assertThat(askForInstances(1, host).text()).contains("Not enough hosts available");
        assertThat(tenant.askNow(DemoProject.hosts(1, 1, DemoProject.named(host.name()))).text())
                .contains("Not enough hosts available");
        tenant.awaitStatus(one, "ACTIVE");
        tenant.awaitStatus(other, "ACTIVE");
        assertThat(slotsOn(host)).containsOnly(slots(one, host, 1), slots(other, host, 1));
        assertThat(product.cloud().freepool()).contains(host.name());

        tenant.delete(other);
        Await.until("the slot is free", () -> slotsOn(host).size() == 1);
        tenant.change(
                        one,
                        Map.of(
                                "reservations",
                                List.of(Map.of("id", one.reservation().toString(), "amount", 2))))
                .expect(200);
        Await.until("the slots are two", () -> slotsOn(host).contains(slots(one, host, 2)));
        JsonNode shown = tenant.show(one).expect(200).path("lease").path("reservations").path(0);
        assertThat(shown.path("flavor_id").asString()).isEqualTo(one.reservation().toString());
        assertThat(shown.path("amount").asInt()).isEqualTo(2);
        assertThat(
                        product.as("demo")
                                .get("/api/leases/" + one.id())
                                .expect(200)
                                .at("/reservations/0/allocations/0/slots")
                                .asInt())
                .isEqualTo(2);

        tenant.delete(one);
        Await.until("nothing is left", () -> slotsOn(host).isEmpty());
        Lease whole = tenant.leaseNow(1, DemoProject.named(host.name()));
        tenant.awaitStatus(whole, "ACTIVE");
    }

    /** Requests instances, of which a host has room for two. */
    private static Answer askForInstances(int amount, Host host) {
        int cores =
                product.as("admin")
                        .get("/v1/os-hosts/" + host.id())
                        .expect(200)
                        .at("/host/vcpus")
                        .asInt();
        return tenant.askNow(
                DemoProject.instances(amount, cores / 2, DemoProject.named(host.name())));
    }

    private static List<SimulatedCloud.Slots> slotsOn(Host host) {
        return product.cloud().slots().stream()
                .filter(slots -> slots.host().equals(host.name()))
                .toList();
    }

    private static SimulatedCloud.Slots slots(Lease lease, Host host, int count) {
        return new SimulatedCloud.Slots(lease.reservation(), host.name(), count);
    }

    @Test
    void a_lease_with_the_end_changed_to_now_ends() {
        Host host = enrol();
        Lease lease = tenant.leaseNow(1, DemoProject.named(host.name()));
        tenant.awaitStatus(lease, "ACTIVE");

        // An end in a past minute would be rejected.
        CLOCK.toStartOfMinute();
        product.as("demo")
                .patch("/api/leases/" + lease.id(), Map.of("end", product.now().toString()))
                .expect(200);

        tenant.awaitStatus(lease, "TERMINATED");
        assertThat(tenant.isCleanedUp(lease, host.name())).isTrue();
    }

    @Test
    void a_running_lease_grows_and_shrinks_in_the_cloud() {
        String rack = UUID.randomUUID().toString();
        Host one = enrol(Map.of("rack", rack));
        Host other = enrol(Map.of("rack", rack));
        Lease lease = tenant.leaseNow(1, "[\"==\", \"$rack\", \"" + rack + "\"]");
        tenant.awaitStatus(lease, "ACTIVE");
        assertThat(tenant.hostsOf(lease)).containsExactly(one.name());

        resize(lease, 2).expect(200);
        Await.until("both hosts are there", () -> tenant.hostsOf(lease).size() == 2);
        assertThat(tenant.hostsOf(lease)).containsExactlyInAnyOrder(one.name(), other.name());
        awaitEvents(lease, "ReservationAdjusted", 1);

        resize(lease, 3).expect(409);
        assertThat(tenant.status(lease)).isEqualTo("ACTIVE");

        resize(lease, 1).expect(200);
        awaitEvents(lease, "ReservationAdjusted", 2);
        assertThat(tenant.hostsOf(lease)).hasSize(1);
        assertThat(product.cloud().freepool()).containsAnyOf(one.name(), other.name());
    }

    @Test
    void a_delayed_lease_starts_after_the_release_and_names_the_predecessor() {
        Host host = enrol();
        Instant handOver = product.now().plus(HOUR);
        Lease first = tenant.leaseUntil(handOver, DemoProject.named(host.name()));
        Lease second = tenant.lease(handOver, handOver.plus(LONG), DemoProject.named(host.name()));
        tenant.awaitStatus(first, "ACTIVE");
        product.gate().close(PluginGate.Action.END);
        CLOCK.set(handOver);
        Await.found("the delay", () -> tenant.event(second, "LeaseDelayed"));
        product.gate().open();

        tenant.awaitStatus(second, "ACTIVE");

        JsonNode delayed = tenant.event(second, "LeaseDelayed").orElseThrow();
        JsonNode released = tenant.event(first, "ReservationReleased").orElseThrow();
        JsonNode starting = tenant.event(second, "LeaseStarting").orElseThrow();
        assertThat(delayed.path("details").path("awaited").valueStream().map(JsonNode::asString))
                .containsExactly(first.reservation().toString());
        assertThat(delayed.path("details").path("reason").asString()).contains(host.name());
        assertThat(starting.path("position").asLong())
                .isGreaterThan(released.path("position").asLong());
        assertThat(tenant.hostsOf(second)).containsExactly(host.name());
    }

    @Test
    void a_spare_host_replaces_a_disabled_host_at_the_start() {
        String rack = UUID.randomUUID().toString();
        Host broken = enrol(Map.of("rack", rack));
        Host spare = enrol(Map.of("rack", rack));
        Instant start = product.now().plus(HOUR);
        Lease lease =
                tenant.lease(start, start.plus(LONG), "[\"==\", \"$rack\", \"" + rack + "\"]");
        disable(broken, "on fire", lease);
        CLOCK.set(start);

        tenant.awaitStatus(lease, "ACTIVE");

        assertThat(tenant.hostsOf(lease)).containsExactly(spare.name());
        var reservation = tenant.show(lease).body().path("lease").path("reservations").path(0);
        assertThat(reservation.path("resources_changed").asBoolean()).isTrue();
    }

    @Test
    void a_lease_with_only_a_disabled_host_fails_and_starts_on_retry() {
        Host host = enrol();
        Instant start = product.now().plus(HOUR);
        Lease lease = tenant.lease(start, start.plus(LONG), DemoProject.named(host.name()));
        disable(host, "on fire", lease);
        CLOCK.set(start);

        tenant.awaitStatus(lease, "ERROR");
        assertThat(tenant.event(lease, "ReservationFailed").orElseThrow().toString())
                .contains(host.name(), "on fire");

        admin("/api/resources/" + host.id() + "/enable").expect(200);
        retry(lease);
        tenant.awaitStatus(lease, "ACTIVE");
        assertThat(tenant.hostsOf(lease)).containsExactly(host.name());
    }

    @Test
    void a_failed_start_is_an_error_until_an_operator_retries_it() {
        Host host = enrol();
        product.cloud()
                .addBehaviorRule(
                        BehaviorRule.failing("start.add_host", InjectedFault.BROKEN)
                                .onHost(host.name()));
        Lease lease = tenant.leaseNow(1, DemoProject.named(host.name()));
        tenant.awaitStatus(lease, "ERROR");

        product.cloud().clearBehaviorRules();
        retry(lease);

        tenant.awaitStatus(lease, "ACTIVE");
        assertThat(tenant.hostsOf(lease)).containsExactly(host.name());
    }

    @Test
    void a_transient_cloud_timeout_does_not_fail_the_start() {
        Host host = enrol();
        product.cloud()
                .addBehaviorRule(
                        BehaviorRule.failing("start.add_host", InjectedFault.TIME_OUT_AFTER)
                                .onHost(host.name())
                                .times(1));

        Lease lease = tenant.leaseNow(1, DemoProject.named(host.name()));

        tenant.awaitStatus(lease, "ACTIVE");
        assertThat(tenant.types(lease)).doesNotContain("ReservationFailed");
        assertThat(product.cloud().effects(lease.reservation()))
                .filteredOn(effect -> effect.operation().equals("add_host"))
                .hasSize(1);
    }

    @Test
    void a_failed_end_is_stuck_until_an_operator_retries_it() {
        Host host = enrol();
        Lease lease = tenant.leaseNow(1, DemoProject.named(host.name()));
        tenant.awaitStatus(lease, "ACTIVE");
        product.cloud()
                .addBehaviorRule(
                        BehaviorRule.failing("end.remove_host", InjectedFault.BROKEN)
                                .onHost(host.name()));

        tenant.end(lease);
        Await.until("the end is listed", () -> !stuck(lease).isEmpty());
        assertThat(stuck(lease))
                .singleElement()
                .satisfies(
                        action -> {
                            assertThat(action.path("attempts").asInt()).isPositive();
                            assertThat(action.path("last_fault").asString()).isNotBlank();
                        });
        tenant.awaitStatus(lease, "ERROR");

        product.cloud().clearBehaviorRules();
        retry(lease);

        tenant.awaitStatus(lease, "TERMINATED");
        assertThat(tenant.isCleanedUp(lease, host.name())).isTrue();
        Await.until("nothing is stuck", () -> stuck(lease).isEmpty());
    }

    @Test
    void a_failed_host_retirement_is_stuck_until_an_operator_retries_it() {
        Host host = enrol();
        product.cloud()
                .addBehaviorRule(
                        BehaviorRule.failing("retire*", InjectedFault.BROKEN).onHost(host.name()));
        product.as("admin").delete("/v1/os-hosts/" + host.id()).expect(204);
        Await.until("the host is listed", () -> stuck(host).isPresent());
        assertThat(stuck(host).orElseThrow().path("action").asString()).isEqualTo("retire");
        assertThat(stuck(host).orElseThrow().path("last_fault").asString()).isNotBlank();

        product.cloud().clearBehaviorRules();
        admin("/api/operations/resources/" + host.id() + "/retry").expect(204);

        Await.until(
                "the cloud has it back", () -> !product.cloud().freepool().contains(host.name()));
        Await.until("nothing is stuck", () -> stuck(host).isEmpty());
        admin("/api/operations/resources/" + host.id() + "/retry").expect(404);
    }

    @Test
    void an_operator_can_force_the_end_of_a_stuck_lease() {
        Host host = enrol();
        Lease lease = tenant.leaseNow(1, DemoProject.named(host.name()));
        tenant.awaitStatus(lease, "ACTIVE");
        product.cloud()
                .addBehaviorRule(
                        BehaviorRule.failing("end.remove_host", InjectedFault.BROKEN)
                                .onHost(host.name()));
        tenant.end(lease);
        tenant.awaitStatus(lease, "ERROR");

        admin("/api/operations/leases/" + lease.id() + "/force-end").expect(204);

        assertThat(tenant.status(lease)).isEqualTo("TERMINATED");
        Await.until("nothing is stuck", () -> stuck(lease).isEmpty());
    }

    @Test
    void a_lease_can_be_deleted_before_it_starts() {
        Host host = enrol();
        Instant start = product.now().plus(LONG);
        Lease lease = tenant.lease(start, start.plus(LONG), DemoProject.named(host.name()));

        tenant.delete(lease);

        assertThat(tenant.status(lease)).isEqualTo("gone");
    }

    @Test
    void a_lease_can_be_deleted_while_it_starts() {
        Host host = enrol();
        product.gate().close(PluginGate.Action.START);
        Lease lease = tenant.leaseNow(1, DemoProject.named(host.name()));
        tenant.awaitStatus(lease, "STARTING");

        tenant.delete(lease);

        assertThat(tenant.status(lease)).isIn("DELETING", "gone");
        product.gate().open();
        tenant.awaitStatus(lease, "gone");
        assertThat(tenant.isCleanedUp(lease, host.name())).isTrue();
    }

    @Test
    void a_lease_can_be_deleted_while_it_waits_for_a_host() {
        Host host = enrol();
        Instant handOver = product.now().plus(HOUR);
        Lease first = tenant.leaseUntil(handOver, DemoProject.named(host.name()));
        Lease second = tenant.lease(handOver, handOver.plus(LONG), DemoProject.named(host.name()));
        tenant.awaitStatus(first, "ACTIVE");
        product.gate().close(PluginGate.Action.END);
        CLOCK.set(handOver);
        Await.found("the delay", () -> tenant.event(second, "LeaseDelayed"));

        tenant.delete(second);

        assertThat(tenant.status(second)).isEqualTo("gone");
        product.gate().open();
        tenant.awaitStatus(first, "TERMINATED");
        assertThat(tenant.isCleanedUp(second, host.name())).isTrue();
    }

    @Test
    void a_lease_can_be_deleted_in_error() {
        Host host = enrol();
        product.cloud()
                .addBehaviorRule(
                        BehaviorRule.failing("start.leave_freepool", InjectedFault.BROKEN)
                                .onHost(host.name()));
        Lease lease = tenant.leaseNow(1, DemoProject.named(host.name()));
        tenant.awaitStatus(lease, "ERROR");

        tenant.delete(lease);

        tenant.awaitStatus(lease, "gone");
        assertThat(tenant.isCleanedUp(lease, host.name())).isTrue();
    }

    @Test
    void an_ending_lease_can_be_deleted_twice() {
        Host host = enrol();
        Lease lease = tenant.leaseNow(1, DemoProject.named(host.name()));
        tenant.awaitStatus(lease, "ACTIVE");
        product.gate().close(PluginGate.Action.END);
        tenant.end(lease);

        tenant.delete(lease);
        assertThat(tenant.status(lease)).isEqualTo("DELETING");
        tenant.delete(lease);
        product.gate().open();

        tenant.awaitStatus(lease, "gone");
        assertThat(tenant.isCleanedUp(lease, host.name())).isTrue();
    }

    @Test
    void a_lease_can_be_deleted_after_the_end() {
        Host host = enrol();
        Lease lease = tenant.leaseNow(1, DemoProject.named(host.name()));
        tenant.awaitStatus(lease, "ACTIVE");
        tenant.end(lease);
        tenant.awaitStatus(lease, "TERMINATED");

        tenant.delete(lease);

        assertThat(tenant.status(lease)).isEqualTo("gone");
    }

    @Test
    void overdue_starts_and_ends_run_after_a_restart() {
        Host ended = enrol();
        Host begun = enrol();
        Host kept = enrol();
        Host missed = enrol();
        Instant boundary = product.now().plus(HOUR);
        Lease ending = tenant.leaseUntil(boundary, DemoProject.named(ended.name()));
        Lease starting =
                tenant.lease(boundary, boundary.plus(LONG), DemoProject.named(begun.name()));
        Lease running = tenant.leaseNow(1, DemoProject.named(kept.name()));
        Lease over =
                tenant.lease(
                        boundary,
                        boundary.plus(Duration.ofMillis(1)),
                        DemoProject.named(missed.name()));
        tenant.awaitStatus(ending, "ACTIVE");
        tenant.awaitStatus(running, "ACTIVE");

        product.close();
        CLOCK.set(boundary.plusSeconds(1));
        start();

        tenant.awaitStatus(ending, "TERMINATED");
        tenant.awaitStatus(starting, "ACTIVE");
        tenant.awaitStatus(over, "TERMINATED");
        assertThat(tenant.status(running)).isEqualTo("ACTIVE");
        assertThat(tenant.isCleanedUp(ending, ended.name())).isTrue();
        assertThat(tenant.hostsOf(starting)).containsExactly(begun.name());
        assertThat(tenant.hostsOf(running)).containsExactly(kept.name());
        assertThat(tenant.types(over)).doesNotContain("LeaseStarting");
        assertThat(
                        tenant.event(over, "LeaseEnded")
                                .orElseThrow()
                                .path("details")
                                .path("cause")
                                .asString())
                .isEqualTo("MISSED");
    }

    @Test
    void the_charges_of_a_lease_match_the_price_plan() {
        Host host = enrol();
        Instant from = product.now().minusSeconds(60);
        Instant start = product.now().plus(HOUR);
        Instant end = start.plus(HOUR);
        Map<String, Object> wish = DemoProject.timed(start, end, DemoProject.named(host.name()));
        assertThat(
                        product.as("demo")
                                .post("/api/quote", wish)
                                .expect(200)
                                .at("/totals/0/amount")
                                .asString())
                .isEqualTo("3602.50");

        Lease lease = tenant.lease(start, end, DemoProject.named(host.name()));
        CLOCK.set(start);
        tenant.awaitStatus(lease, "ACTIVE");
        CLOCK.set(end);
        tenant.awaitStatus(lease, "TERMINATED");

        Instant given =
                Instant.parse(
                        audited(lease, "ReservationActivated").at("/event/decided_at").asString());
        List<String> lines =
                List.of(
                        "reservation_fee 0.50",
                        "fee 2.00",
                        "usage lost " + DemoProject.euros(start, given),
                        "credit lost " + DemoProject.euros(start, given).negate(),
                        "usage active " + DemoProject.euros(given, end));
        Instant to = end.plusSeconds(60);
        Await.until(
                () -> "%s is %s".formatted(lines, tenant.charges(lease, from, to)),
                () -> tenant.charges(lease, from, to).containsAll(lines));
        assertThat(tenant.charges(lease, from, to)).hasSameSizeAs(lines);
        assertThat(
                        product.as("demo")
                                .get("/api/charges/focus?from=%s&to=%s".formatted(from, to))
                                .text()
                                .lines()
                                .filter(row -> row.contains(lease.id()))
                                .map(row -> new BigDecimal(row.split(",", 3)[1]))
                                .reduce(BigDecimal.ZERO, BigDecimal::add))
                .isEqualByComparingTo(DemoProject.euros(given, end).add(new BigDecimal("2.50")));
    }

    @Test
    void the_audit_chain_of_a_request_contains_the_call_of_the_plugin() {
        Host host = enrol();
        Lease lease = tenant.leaseNow(1, DemoProject.named(host.name()));
        tenant.awaitStatus(lease, "ACTIVE");

        JsonNode activated = audited(lease, "LeaseActivated");
        assertThat(activated.at("/before/status").asString()).isEqualTo("to_be_started");
        assertThat(activated.at("/after/status").asString()).isEqualTo("active");

        String path = "/api/audit/events/" + position(lease, "LeaseRequested") + "/chain";
        // The trail includes only events that all its consumers have processed, some ms later.
        JsonNode chain =
                Await.found(
                        path,
                        () ->
                                Optional.of(product.as("admin").get(path).expect(200))
                                        .filter(it -> isIn(it, position(lease, "LeaseActivated"))));
        assertThat(chain.path("complete").asBoolean()).isTrue();
        assertThat(chain.path("steps").valueStream())
                .anySatisfy(
                        step -> {
                            assertThat(step.at("/call/action").asString()).isEqualTo("start");
                            assertThat(step.at("/call/reservation_id").asString())
                                    .isEqualTo(lease.reservation().toString());
                            assertThat(step.path("because_of").asLong())
                                    .isEqualTo(position(lease, "LeaseStarting"));
                        });
    }

    private static boolean isIn(JsonNode chain, long position) {
        return chain.path("steps")
                .valueStream()
                .anyMatch(step -> step.at("/event/position").asLong() == position);
    }

    private static long position(Lease lease, String type) {
        return tenant.event(lease, type).orElseThrow().path("position").asLong();
    }

    /** Returns the auditors' view of an event; the trail lags by some milliseconds. */
    private static JsonNode audited(Lease lease, String type) {
        String path = "/api/audit/events/" + position(lease, type);
        return Await.found(
                path,
                () ->
                        Optional.of(product.as("admin").get(path))
                                .filter(answer -> answer.status() == 200)
                                .map(Answer::body));
    }

    @Test
    void a_calendar_feed_contains_only_leases_of_the_project() {
        Instant start = product.now().plus(LONG);
        Lease lease = tenant.lease(start, start.plus(LONG), DemoProject.named(enrol().name()));
        String others =
                product.as("other")
                        .post(
                                "/api/leases",
                                DemoProject.timed(
                                        start, start.plus(LONG), DemoProject.named(enrol().name())))
                        .expect(201)
                        .path("id")
                        .asString();
        JsonNode feed =
                product.as("demo").post("/api/calendar/feeds", Map.of("name", "ours")).expect(201);
        String path = feed.path("url").asString().substring(product.root().length());
        Client program = product.asAnonymous();
        Await.until(
                "both are in the calendar",
                () -> isInCalendar("demo", lease.id()) && isInCalendar("other", others));

        Answer file = program.get(path);
        assertThat(file.status()).isEqualTo(200);
        assertThat(file.headers().firstValue("Content-Type").orElseThrow())
                .startsWith("text/calendar");
        assertThat(file.text()).contains("UID:" + lease.id()).doesNotContain(others);
        assertThat(
                        file.text()
                                .lines()
                                .filter(line -> line.startsWith("UID:"))
                                .map(uid -> uid.substring(4)))
                .allSatisfy(uid -> product.as("demo").get("/api/leases/" + uid).expect(200));

        product.as("demo").delete("/api/calendar/feeds/" + feed.path("id").asString()).expect(204);
        assertThat(program.get(path).status()).isEqualTo(404);
    }

    private static boolean isInCalendar(String user, String lease) {
        return product.as(user).get("/api/calendar?lease=" + lease).text().contains(lease);
    }

    private static Answer resize(Lease lease, int hosts) {
        return tenant.change(
                lease,
                Map.of(
                        "reservations",
                        List.of(
                                Map.of(
                                        "id",
                                        lease.reservation().toString(),
                                        "min",
                                        hosts,
                                        "max",
                                        hosts))));
    }

    private static void awaitEvents(Lease lease, String type, int count) {
        Await.until(
                () -> count + " times " + type + ", not " + tenant.types(lease),
                () -> tenant.types(lease).stream().filter(type::equals).count() == count);
    }

    private static void retry(Lease lease) {
        admin("/api/operations/leases/" + lease.id() + "/retry").expect(204);
    }

    /** Returns the stuck actions of one lease. */
    private static List<JsonNode> stuck(Lease lease) {
        return stuck().filter(action -> action.path("lease_id").asString("").equals(lease.id()))
                .toList();
    }

    private static Optional<JsonNode> stuck(Host host) {
        return stuck().filter(action -> action.path("resource_id").asString("").equals(host.id()))
                .findFirst();
    }

    private static Stream<JsonNode> stuck() {
        return product.as("admin")
                .get("/api/operations/stuck")
                .expect(200)
                .path("actions")
                .valueStream();
    }

    private static void disable(Host host, String reason, Lease affected) {
        var answer =
                product.as("admin")
                        .post("/api/resources/" + host.id() + "/disable", Map.of("reason", reason))
                        .expect(200);
        assertThat(answer.path("affected_leases").valueStream().map(JsonNode::asString))
                .containsExactly(affected.id());
    }

    private static Answer admin(String path) {
        return product.as("admin").post(path, Map.of());
    }

    private static Host enrol() {
        return enrol(Map.of());
    }

    /** Enrols a host that no other test uses. */
    private static Host enrol(Map<String, String> capabilities) {
        String name = "compute-" + LAST_HOST.incrementAndGet();
        Map<String, Object> body = new java.util.LinkedHashMap<>(capabilities);
        body.put("name", name);
        String id =
                product.as("admin")
                        .post("/v1/os-hosts", body)
                        .expect(201)
                        .path("host")
                        .path("id")
                        .asString();
        Await.until("the cloud knows", () -> product.cloud().freepool().contains(name));
        return new Host(id, name);
    }

    private record Host(String id, String name) {}
}
