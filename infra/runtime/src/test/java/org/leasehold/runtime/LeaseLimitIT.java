package org.leasehold.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.leasehold.runtime.Client.Answer;
import org.leasehold.runtime.DemoProject.Lease;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Tests the limits of the number and the duration of leases. */
@Order(4)
class LeaseLimitIT {

    private static final int MAX_LEASES = 3;
    private static final String[] SETTINGS = {
        "leasehold.lease.most-per-project=" + MAX_LEASES,
        "leasehold.lease.max-duration=2h",
        "leasehold.lease.duration-exempt-projects=one,two",
        "leasehold.database.connections=8",
        "leasehold.gateway.minutes-before-end-lease=0"
    };

    @TempDir private static Path folder;
    private static Product product;
    private static Product other;

    private final Client demo = product.as("demo");
    private final DemoProject tenant = new DemoProject(product);
    private int days;

    @BeforeAll
    static void start() {
        product = Product.start(folder, SETTINGS);
        other = product.anotherNode(folder, SETTINGS);
        Await.until("all hosts are in the cloud", () -> product.cloud().freepool().size() == 4);
    }

    @AfterAll
    static void stop() {
        other.close();
        product.close();
    }

    /** Returns a request for another day, so that there is always a host. */
    private Map<String, Object> wish() {
        Instant start = product.now().plus(Duration.ofDays(++days));
        return DemoProject.timed(
                start, start.plus(Duration.ofHours(1)), DemoProject.named("compute-1"));
    }

    private Map<String, Object> wishOfBlazar() {
        Instant start = product.now().plus(Duration.ofDays(++days));
        Map<String, Object> wish = new LinkedHashMap<>();
        wish.put("name", "n" + days);
        wish.put("start_date", DemoProject.minute(start));
        wish.put("end_date", DemoProject.minute(start.plus(Duration.ofHours(1))));
        wish.put("reservations", List.of(DemoProject.hosts(1, 1, DemoProject.named("compute-1"))));
        wish.put("events", List.of());
        return wish;
    }

    private List<Lease> fill() {
        List<Lease> leases = new ArrayList<>();
        for (int i = 0; i < MAX_LEASES; i++) {
            leases.add(DemoProject.of(demo.post("/api/leases", wish()).expect(201)));
        }
        return leases;
    }

    private void delete(List<Lease> leases) {
        for (Lease lease : leases) {
            tenant.delete(lease);
            tenant.awaitStatus(lease, "gone");
        }
    }

    @Test
    void both_apis_reject_a_lease_over_the_limit_of_the_project() {
        List<Lease> leases = fill();

        Answer refused = demo.post("/api/leases", wish());
        assertThat(refused.expect(429).path("type").asString())
                .isEqualTo("/problems/too-many-leases");
        assertThat(refused.body().path("detail").asString())
                .isEqualTo("The project has 3 unfinished leases, as many as it may have.");
        assertThat(refused.headers().firstValueAsLong("Retry-After")).hasValue(60);
        assertThat(demo.post("/api/leases/dry-run", wish()).expect(429).path("type").asString())
                .isEqualTo("/problems/too-many-leases");
        assertThat(demo.post("/api/quote", wish()).expect(429).path("type").asString())
                .isEqualTo("/problems/too-many-leases");
        assertThat(demo.get("/problems/too-many-leases").status()).isEqualTo(200);

        Answer blazars = demo.post("/v1/leases", wishOfBlazar());
        assertThat(blazars.expect(403).path("error_code").asInt()).isEqualTo(403);
        assertThat(blazars.body().path("error_message").asString())
                .isEqualTo(
                        "The number of unfinished leases of the project must be less than or equal"
                                + " to 3");
        Client admin = product.as("admin");
        Await.until(
                "the refusals are recorded",
                () -> admin.get("/api/audit/denied?user=demo").text().contains("TooManyLeases"));

        delete(leases.subList(0, 1));
        Lease last =
                DemoProject.of(demo.post("/v1/leases", wishOfBlazar()).expect(201).path("lease"));
        demo.post("/api/leases", wish()).expect(429);
        delete(leases.subList(1, MAX_LEASES));
        delete(List.of(last));
        assertThat(product.verify()).isEmpty();
    }

    @Test
    void both_apis_reject_a_lease_longer_than_the_maximum_duration() {
        String text =
                "Lease duration of 7260 seconds must be less than or equal to the maximum lease"
                        + " duration of 7200 seconds.";
        Instant start = product.now().plus(Duration.ofDays(400)).truncatedTo(ChronoUnit.MINUTES);
        Instant end = start.plus(Duration.ofMinutes(121));
        Map<String, Object> wish = DemoProject.timed(start, end, DemoProject.named("compute-1"));
        Map<String, Object> blazars = wishOfBlazar();
        blazars.put("start_date", DemoProject.minute(start));
        blazars.put("end_date", DemoProject.minute(end));

        Answer problem = demo.post("/api/leases", wish);
        assertThat(problem.expect(400).path("type").asString())
                .isEqualTo("/problems/lease-too-long");
        assertThat(problem.body().path("errors").toString()).contains("7200 seconds");
        Answer creation = demo.post("/v1/leases", blazars);
        assertThat(creation.expect(403).path("error_message").asString()).isEqualTo(text);
        Lease lease =
                DemoProject.of(demo.post("/v1/leases", wishOfBlazar()).expect(201).path("lease"));
        Instant first = product.now().plus(Duration.ofDays(days));
        Answer change =
                demo.put(
                        "/v1/leases/" + lease.id(),
                        Map.of(
                                "end_date",
                                DemoProject.minute(first.plus(Duration.ofMinutes(121)))));
        assertThat(change.expect(400).path("error_message").asString()).isEqualTo(text);
        delete(List.of(lease));
    }

    @Test
    void an_ended_lease_does_not_count_toward_the_limit() {
        Lease running = tenant.leaseUntil(product.now().plus(Duration.ofHours(1)), "");
        tenant.awaitStatus(running, "ACTIVE");
        Lease second = DemoProject.of(demo.post("/api/leases", wish()).expect(201));
        Lease third = DemoProject.of(demo.post("/api/leases", wish()).expect(201));
        demo.post("/api/leases", wish()).expect(429);

        tenant.end(running);
        tenant.awaitStatus(running, "TERMINATED");

        Lease fourth = DemoProject.of(demo.post("/api/leases", wish()).expect(201));
        demo.post("/api/leases", wish()).expect(429);
        delete(List.of(running, second, third, fourth));
        assertThat(product.verify()).isEmpty();
    }

    @Test
    void concurrent_requests_to_two_nodes_do_not_exceed_the_limit() throws Exception {
        for (int round = 0; round < 5; round++) {
            List<Callable<Answer>> sent = new ArrayList<>();
            for (int i = 0; i < 4 * MAX_LEASES; i++) {
                Client client = (i % 2 == 0 ? product : other).as("demo");
                Map<String, Object> wish = wish();
                sent.add(() -> client.post("/api/leases", wish));
            }
            List<Lease> made = new ArrayList<>();
            try (ExecutorService threads = Executors.newFixedThreadPool(sent.size())) {
                for (Future<Answer> answer : threads.invokeAll(sent)) {
                    if (answer.get().status() == 201) {
                        made.add(DemoProject.of(answer.get().body()));
                    } else {
                        answer.get().expect(429);
                    }
                }
            }
            assertThat(made).hasSize(MAX_LEASES);
            delete(made);
        }
        assertThat(product.verify()).isEmpty();
    }
}
