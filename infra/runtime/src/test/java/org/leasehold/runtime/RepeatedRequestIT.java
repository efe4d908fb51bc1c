package org.leasehold.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.leasehold.runtime.Client.Answer;
import org.leasehold.runtime.DemoProject.Lease;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Tests that a repeated request with a key gets its first response, despite later changes. */
class RepeatedRequestIT {

    private static final Duration HOUR = Duration.ofHours(1);

    @TempDir private static Path folder;
    private static Product product;
    private static DemoProject tenant;
    private static Client demo;

    @BeforeAll
    static void start() {
        product = Product.start(folder);
        tenant = new DemoProject(product);
        demo = product.as("demo");
    }

    @AfterAll
    static void stop() {
        assertThat(product.verify()).isEmpty();
        product.close();
    }

    private static void assertSame(Answer repeated, Answer first) {
        assertThat(repeated.status()).as(repeated.text()).isEqualTo(first.status());
        assertThat(repeated.text()).isEqualTo(first.text());
    }

    private static Lease lease(int day) {
        var start = product.now().plus(Duration.ofDays(day));
        return tenant.lease(start, start.plus(HOUR), "");
    }

    private static Map<String, Object> wish(int day, String filter) {
        var start = product.now().plus(Duration.ofDays(day));
        return DemoProject.timed(start, start.plus(HOUR), filter);
    }

    @Test
    void a_repeated_deletion_gets_the_first_response() {
        for (String api : List.of("/v1/leases/", "/api/leases/")) {
            Lease lease = lease(1);
            Answer first = demo.deleteOnce(api + lease.id(), "deleted in " + api);
            first.expect(204);
            assertSame(demo.deleteOnce(api + lease.id(), "deleted in " + api), first);
            demo.delete(api + lease.id()).expect(404);
        }
    }

    @Test
    void a_repeated_creation_or_change_gets_the_first_response_after_deletion() {
        Map<String, Object> wish = wish(2, "");
        Answer created = demo.postOnce("/api/leases", "created", wish);
        String path = "/api/leases/" + created.expect(201).path("id").asString();
        Answer changed = demo.patchOnce(path, "changed", Map.of("name", "weekly"));
        changed.expect(200);
        demo.delete(path).expect(204);

        assertSame(demo.postOnce("/api/leases", "created", wish), created);
        assertSame(demo.patchOnce(path, "changed", Map.of("name", "weekly")), changed);
        demo.patchOnce(path, "changed", Map.of("name", "monthly")).expect(422);
        demo.get(path).expect(404);
    }

    @Test
    void a_repeated_creation_gets_the_first_response_despite_hidden_properties() {
        String host =
                product.as("admin")
                        .get("/api/resources?kind=physical:host")
                        .expect(200)
                        .at("/resources/0/id")
                        .asString();
        product.as("admin")
                .patch("/api/resources/" + host, Map.of("set", Map.of("rack", "r1")))
                .expect(200);
        Map<String, Object> wish = wish(3, "[\"==\", \"$rack\", \"r1\"]");
        Answer first = demo.postOnce("/api/leases", "hidden", wish);
        first.expect(201);
        product.as("admin")
                .patch("/api/properties/physical:host/rack", Map.of("hidden", true))
                .expect(200);

        demo.post("/api/leases", wish).expect(400);
        assertSame(demo.postOnce("/api/leases", "hidden", wish), first);
    }

    @Test
    void a_repeated_request_gets_the_first_error() {
        Lease lease = lease(4);
        String path = "/api/leases/" + lease.id();
        demo.delete(path).expect(204);

        Answer first = demo.deleteOnce(path, "in vain");
        first.expect(404);
        assertSame(demo.deleteOnce(path, "in vain"), first);

        Map<String, Object> greedy =
                DemoProject.timed(
                        product.now().plus(Duration.ofDays(5)),
                        product.now().plus(Duration.ofDays(6)),
                        "[\">\", \"$vcpus\", \"100000\"]");
        Answer refused = demo.postOnce("/api/leases", "greedy", greedy);
        refused.expect(409);
        assertSame(demo.postOnce("/api/leases", "greedy", greedy), refused);
    }

    @Test
    void concurrent_deletions_with_one_key_all_answer_204() throws Exception {
        try (ExecutorService senders = Executors.newFixedThreadPool(8)) {
            for (int round = 0; round < 10; round++) {
                String path = "/api/leases/" + lease(10 + round).id();
                String key = "round " + round;
                List<Future<Answer>> answers = new ArrayList<>();
                for (int i = 0; i < 8; i++) {
                    answers.add(senders.submit(() -> demo.deleteOnce(path, key)));
                }
                for (Future<Answer> answer : answers) {
                    answer.get().expect(204);
                }
            }
        }
    }

    @Test
    void an_idempotency_key_belongs_to_one_project() {
        Map<String, Object> wish = wish(7, "");
        Answer ours = demo.postOnce("/api/leases", "shared", wish);
        Answer theirs = product.as("other").postOnce("/api/leases", "shared", wish);

        assertThat(theirs.expect(201).path("id")).isNotEqualTo(ours.expect(201).path("id"));
    }
}
