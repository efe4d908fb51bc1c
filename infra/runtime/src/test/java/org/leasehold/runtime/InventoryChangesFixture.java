package org.leasehold.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.leasehold.inventory.ResourceEvent.ResourceDescribed;
import org.leasehold.runtime.Client.Answer;
import org.leasehold.runtime.DemoProject.Lease;
import org.leasehold.vocabulary.LeaseId;
import org.springframework.boot.test.system.CapturedOutput;

import tools.jackson.databind.JsonNode;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** A product that watches its hosts, and leases of hosts that change. */
abstract class InventoryChangesFixture {

    static final String HOST = "compute-1";
    static final int MEMORY = 65_536;

    @TempDir private static Path folder;
    static Product product;
    static DemoProject tenant;

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

    static boolean isWarned(CapturedOutput output, Lease lease) {
        return output.getOut()
                .lines()
                .filter(line -> line.contains("Leases count on what the cloud"))
                .anyMatch(line -> line.contains(lease.id()));
    }

    /** Returns the average idle capacity of all hosts, from an hour ago on. */
    static BigDecimal idle() {
        JsonNode buckets =
                product.as("admin")
                        .get(
                                "/api/capacity?kind=physical:host&bucket=PT24H&from="
                                        + product.now().minus(Duration.ofHours(1)))
                        .expect(200)
                        .at("/series/0/buckets");
        return buckets.path(0).path("idle").decimalValue();
    }

    static JsonNode listed(Lease lease) {
        return product.as("demo")
                .get("/api/leases?limit=1000")
                .expect(200)
                .path("leases")
                .valueStream()
                .filter(each -> each.path("id").asString().equals(lease.id()))
                .findFirst()
                .orElseThrow();
    }

    static String explanation(Lease lease) {
        return product.as("demo")
                .get("/api/leases/" + lease.id())
                .expect(200)
                .path("explanation")
                .asString("");
    }

    /** Returns true if all views report that the lease lacks a host. */
    static boolean lacks(Lease lease) {
        JsonNode blazars = tenant.show(lease).expect(200).path("lease");
        JsonNode ours = product.as("demo").get("/api/leases/" + lease.id()).expect(200);
        boolean lacks = blazars.path("degraded").asBoolean();
        assertThat(blazars.at("/reservations/0/missing_resources").asBoolean()).isEqualTo(lacks);
        assertThat(ours.path("degraded").asBoolean()).isEqualTo(lacks);
        assertThat(ours.at("/reservations/0/missing_resources").asBoolean()).isEqualTo(lacks);
        return lacks;
    }

    /** Returns the time of the decision on an event of a type. */
    static Instant at(Lease lease, String type) {
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
    static List<String> seen(String user, Lease lease) {
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

    static JsonNode host() {
        return host(HOST);
    }

    static String id(String name) {
        return host(name).path("id").asString();
    }

    static JsonNode host(String name) {
        return product.as("admin")
                .get("/api/resources?kind=physical:host")
                .expect(200)
                .path("resources")
                .valueStream()
                .filter(host -> host.path("name").asString().equals(name))
                .findFirst()
                .orElseThrow();
    }

    static void awaitMemory(int mib) {
        Await.until(
                () -> "%s has %s MiB".formatted(host(), mib),
                () -> host().at("/attributes/memory_mb").asInt() == mib);
    }

    static List<LeaseId> affected() throws SQLException {
        return product.history().stream()
                .map(EventReader.Event::event)
                .filter(ResourceDescribed.class::isInstance)
                .map(ResourceDescribed.class::cast)
                .flatMap(described -> described.affected().stream())
                .toList();
    }

    /** Requests instances of 1 GiB each. */
    static Answer instances(int amount) {
        return tenant.askNow(DemoProject.instances(amount, 1, DemoProject.named(HOST)));
    }

    static Answer whole() {
        return tenant.askNow(
                DemoProject.hosts(
                        1,
                        1,
                        "[\"and\", %s, [\">=\", \"$memory_mb\", \"%s\"]]"
                                .formatted(DemoProject.named(HOST), MEMORY)));
    }
}
