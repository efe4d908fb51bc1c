package org.leasehold.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.leasehold.inventory.ResourceEvent.ResourceDescribed;
import org.leasehold.runtime.Client.Answer;
import org.leasehold.runtime.DemoProject.Lease;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ProjectId;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import tools.jackson.databind.JsonNode;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Tests leases of hosts that have changed since their enrolment. */
@ExtendWith(OutputCaptureExtension.class)
@ResourceLock(Resources.SYSTEM_OUT)
@Order(5)
class InventoryChangesIT {

    private static final String HOST = "compute-1";
    private static final int MEMORY = 65_536;

    @TempDir private static Path folder;
    private static Product product;
    private static DemoProject tenant;

    @BeforeAll
    static void start() {
        product =
                Product.start(
                        folder,
                        "leasehold.saga.watching=1s",
                        "leasehold.saga.sampling=1s",
                        ProductApi.PLANS);
        tenant = new DemoProject(product);
    }

    @AfterAll
    static void verifyAndStop() {
        Await.until("the processes have followed", () -> product.unfollowed() == 0);
        assertThat(product.verify()).isEmpty();
        product.close();
    }

    @Test
    void a_host_that_loses_memory_keeps_active_leases_and_gets_no_new_ones(CapturedOutput output)
            throws SQLException {
        long id = host().path("id").asLong();
        product.as("admin")
                .patch("/api/resources/" + id, Map.of("set", Map.of("rack", "7")))
                .expect(200);
        Lease shared = DemoProject.of(instances(4).expect(201).path("lease"));
        tenant.awaitStatus(shared, "ACTIVE");

        LogSetupLock.undisturbed(
                () -> {
                    product.cloud().setMemory(HOST, 2_048);
                    awaitMemory(2_048);
                    Await.until("the operator is warned", () -> isWarned(output, shared));
                });

        assertThat(host().at("/capabilities/rack").asString()).isEqualTo("7");
        assertThat(affected()).containsExactly(LeaseId.of(shared.id()));
        assertThat(tenant.status(shared)).isEqualTo("ACTIVE");
        assertThat(instances(1).expect(409).path("error_message").asString())
                .contains("Not enough hosts available");
        Await.until("the processes have followed", () -> product.unfollowed() == 0);
        assertThat(product.verify()).isEmpty();

        tenant.end(shared);
        tenant.awaitStatus(shared, "TERMINATED");
        assertThat(instances(3).status()).isEqualTo(409);
        assertThat(whole().expect(409).path("error_message").asString())
                .contains("Not enough hosts available");
        product.cloud().setMemory(HOST, MEMORY);
        awaitMemory(MEMORY);
        Lease whole = DemoProject.of(whole().expect(201).path("lease"));
        tenant.awaitStatus(whole, "ACTIVE");

        product.cloud().setMemory(HOST, 2_048);
        awaitMemory(2_048);
        assertThat(tenant.hostsOf(whole)).containsExactly(HOST);
        tenant.delete(whole);
        tenant.awaitStatus(whole, "gone");
    }

    private static boolean isWarned(CapturedOutput output, Lease lease) {
        return output.getOut()
                .lines()
                .filter(line -> line.contains("Leases count on what the cloud"))
                .anyMatch(line -> line.contains(lease.id()));
    }

    @Test
    void the_project_of_a_lease_sees_the_use_of_the_host_and_others_do_not() {
        Lease lease =
                DemoProject.of(
                        tenant.askNow(DemoProject.hosts(1, 1, DemoProject.named("compute-2")))
                                .expect(201)
                                .path("lease"));
        tenant.awaitStatus(lease, "ACTIVE");
        Await.until("it is seen to run nothing", () -> seen("demo", lease).equals(List.of("0 0")));
        assertThat(
                        product.cloud()
                                .boot("web", new ProjectId("demo"), lease.reservation())
                                .orElseThrow()
                                .host())
                .isEqualTo("compute-2");
        Await.until("a server is seen", () -> seen("demo", lease).equals(List.of("0 0", "1 2")));

        JsonNode usage =
                product.as("demo")
                        .get("/api/usage?by=lease&lease=" + lease.id())
                        .expect(200)
                        .at("/usage/0");
        assertThat(usage.path("idle").decimalValue()).isPositive();
        assertThat(usage.path("vcpus").decimalValue())
                .isEqualByComparingTo(
                        usage.path("servers").decimalValue().multiply(BigDecimal.TWO));
        assertThat(usage.path("observed").decimalValue())
                .isBetween(usage.path("idle").decimalValue(), usage.path("active").decimalValue());
        Await.until("capacity reports it", () -> idle().signum() > 0);
        assertThat(seen("other", lease)).isEmpty();
        tenant.delete(lease);
        tenant.awaitStatus(lease, "gone");
    }

    /** Returns the average idle capacity of all hosts, from an hour ago on. */
    private static BigDecimal idle() {
        JsonNode buckets =
                product.as("admin")
                        .get(
                                "/api/capacity?kind=physical:host&bucket=PT24H&from="
                                        + product.now().minus(Duration.ofHours(1)))
                        .expect(200)
                        .at("/series/0/buckets");
        return buckets.path(0).path("idle").decimalValue();
    }

    @Test
    void a_lease_is_degraded_and_credited_while_the_host_is_down() {
        String name = "compute-3";
        Lease lease =
                DemoProject.of(
                        tenant.askNow(DemoProject.hosts(1, 1, DemoProject.named(name)))
                                .expect(201)
                                .path("lease"));
        tenant.awaitStatus(lease, "ACTIVE");

        product.cloud().setHostUp(name, false);
        Await.until("it is down", () -> tenant.types(lease).contains("ResourceFailed"));
        assertThat(lacks(lease)).isTrue();
        assertThat(explanation(lease))
                .startsWith("Reservation ")
                .endsWith(" lacks compute-3: The cloud: it is down");
        assertThat(tenant.status(lease)).isEqualTo("ACTIVE");

        product.cloud().setHostUp(name, true);
        Await.until("it is back", () -> tenant.types(lease).contains("ResourceRecovered"));
        assertThat(lacks(lease)).isFalse();
        assertThat(explanation(lease)).isEmpty();
        tenant.end(lease);
        tenant.awaitStatus(lease, "TERMINATED");

        Instant given = at(lease, "ReservationActivated");
        Instant down = at(lease, "ResourceFailed");
        Instant up = at(lease, "ResourceRecovered");
        Instant end = at(lease, "LeaseEnding");
        BigDecimal lost = DemoProject.euros(down, up);
        Instant from = given.minusSeconds(3600);
        Instant to = end.plusSeconds(60);
        Await.until(
                () ->
                        "%s has %s, %s and %s"
                                .formatted(tenant.charges(lease, from, to), down, up, end),
                () ->
                        tenant.charges(lease, from, to)
                                .containsAll(
                                        List.of(
                                                "usage active " + DemoProject.euros(given, down),
                                                "usage lost " + lost,
                                                "credit lost " + lost.negate(),
                                                "usage active " + DemoProject.euros(up, end))));
        JsonNode usage =
                product.as("demo")
                        .get("/api/usage?by=lease&lease=" + lease.id())
                        .expect(200)
                        .at("/usage/0");
        assertThat(usage.path("lost").decimalValue())
                .isGreaterThan(BigDecimal.valueOf(Duration.between(down, up).toMillis(), 3));
        assertThat(usage.path("active").decimalValue())
                .isEqualByComparingTo(
                        BigDecimal.valueOf(
                                ChronoUnit.MICROS.between(given, down)
                                        + ChronoUnit.MICROS.between(up, end),
                                6));
    }

    @Test
    void a_lease_is_degraded_while_the_host_is_disabled() {
        Client admin = product.as("admin");
        String name = "compute-4";
        Lease lease = tenant.leaseNow(1, DemoProject.named(name));
        tenant.awaitStatus(lease, "ACTIVE");
        String ours = "/api/leases/" + lease.id();
        String tag = product.as("demo").get(ours).headers().firstValue("ETag").orElseThrow();
        assertThat(lacks(lease)).isFalse();

        String host = "/api/resources/" + id(name);
        admin.post(host + "/disable", Map.of("reason", "a fan is loud")).expect(200);
        assertThat(lacks(lease)).isTrue();
        assertThat(explanation(lease)).isEqualTo("compute-4 is out of service (a fan is loud).");
        assertThat(listed(lease).path("degraded").asBoolean()).isTrue();
        Client.Answer degraded = product.as("demo").get(ours);
        assertThat(degraded.headers().firstValue("ETag").orElseThrow()).isNotEqualTo(tag);
        String present = degraded.headers().firstValue("ETag").orElseThrow();
        product.as("demo").patchIfMatch(ours, present, Map.of("name", "loud")).expect(200);
        assertThat(tenant.types(lease)).doesNotContain("ResourceFailed");

        admin.post(host + "/enable", Map.of()).expect(200);
        assertThat(lacks(lease)).isFalse();
        assertThat(explanation(lease)).isEmpty();
        assertThat(listed(lease).path("degraded").asBoolean()).isFalse();
        tenant.delete(lease);
        tenant.awaitStatus(lease, "gone");
    }

    private static JsonNode listed(Lease lease) {
        return product.as("demo")
                .get("/api/leases?limit=1000")
                .expect(200)
                .path("leases")
                .valueStream()
                .filter(each -> each.path("id").asString().equals(lease.id()))
                .findFirst()
                .orElseThrow();
    }

    private static String explanation(Lease lease) {
        return product.as("demo")
                .get("/api/leases/" + lease.id())
                .expect(200)
                .path("explanation")
                .asString("");
    }

    /** Returns true if all views report that the lease lacks a host. */
    private static boolean lacks(Lease lease) {
        JsonNode blazars = tenant.show(lease).expect(200).path("lease");
        JsonNode ours = product.as("demo").get("/api/leases/" + lease.id()).expect(200);
        boolean lacks = blazars.path("degraded").asBoolean();
        assertThat(blazars.at("/reservations/0/missing_resources").asBoolean()).isEqualTo(lacks);
        assertThat(ours.path("degraded").asBoolean()).isEqualTo(lacks);
        assertThat(ours.at("/reservations/0/missing_resources").asBoolean()).isEqualTo(lacks);
        return lacks;
    }

    /** Returns the time of the decision on an event of a type. */
    private static Instant at(Lease lease, String type) {
        long position = tenant.event(lease, type).orElseThrow().path("position").asLong();
        return Instant.parse(
                Await.found(
                                "event " + position,
                                () ->
                                        Optional.of(
                                                        product.as("admin")
                                                                .get(
                                                                        "/api/audit/events/"
                                                                                + position))
                                                .filter(answer -> answer.status() == 200))
                        .body()
                        .at("/event/decided_at")
                        .asString());
    }

    /** Returns the observed use of a lease's hosts that a user can see, in order. */
    private static List<String> seen(String user, Lease lease) {
        return product.as(user)
                .get("/api/events?types=UseObserved")
                .expect(200)
                .path("events")
                .valueStream()
                .map(event -> event.path("data"))
                .filter(data -> data.path("leaseId").asString().equals(lease.id()))
                .map(data -> data.path("servers") + " " + data.path("vcpus"))
                .toList();
    }

    private static JsonNode host() {
        return host(HOST);
    }

    private static String id(String name) {
        return host(name).path("id").asString();
    }

    private static JsonNode host(String name) {
        return product.as("admin")
                .get("/api/resources?kind=physical:host")
                .expect(200)
                .path("resources")
                .valueStream()
                .filter(host -> host.path("name").asString().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static void awaitMemory(int mib) {
        Await.until(
                () -> "%s has %s MiB".formatted(host(), mib),
                () -> host().at("/attributes/memory_mb").asInt() == mib);
    }

    private static List<LeaseId> affected() throws SQLException {
        return product.history().stream()
                .map(EventReader.Event::event)
                .filter(ResourceDescribed.class::isInstance)
                .map(ResourceDescribed.class::cast)
                .flatMap(described -> described.affected().stream())
                .toList();
    }

    /** Requests instances of 1 GiB each. */
    private static Answer instances(int amount) {
        return tenant.askNow(DemoProject.instances(amount, 1, DemoProject.named(HOST)));
    }

    private static Answer whole() {
        return tenant.askNow(
                DemoProject.hosts(
                        1,
                        1,
                        "[\"and\", %s, [\">=\", \"$memory_mb\", \"%s\"]]"
                                .formatted(DemoProject.named(HOST), MEMORY)));
    }
}
