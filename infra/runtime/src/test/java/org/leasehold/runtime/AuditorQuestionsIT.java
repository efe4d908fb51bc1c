package org.leasehold.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.leasehold.runtime.Client.Answer;

import tools.jackson.databind.JsonNode;

import java.nio.file.Path;
import java.time.Duration;

/** Tests that each question of an auditor is one request. */
class AuditorQuestionsIT {

    @TempDir private static Path folder;
    private static Product product;
    private static Client auditor;

    @BeforeAll
    static void start() {
        product = Product.start(folder);
        auditor = product.as("auditor");
    }

    @AfterAll
    static void stop() {
        product.close();
    }

    /** Creates a lease. */
    private static Answer lease() {
        return product.as("demo")
                .post(
                        "/api/leases",
                        DemoProject.until(product.now().plus(Duration.ofHours(1)), ""));
    }

    private static String id(Answer lease) {
        return lease.expect(201).path("id").asString();
    }

    @Test
    void an_auditor_sees_who_deleted_a_lease_and_why_in_one_request() {
        String lease = id(lease());
        Answer deleted = product.as("demo").deleteBecause("/api/leases/" + lease, "wrong project");

        JsonNode events =
                auditor.getAt("/api/audit/events?lease=" + lease, deleted.position()).expect(200);

        JsonNode deletion =
                events.path("events")
                        .valueStream()
                        .filter(event -> event.path("reason").asString("").equals("wrong project"))
                        .findFirst()
                        .orElseThrow();
        assertThat(deletion.path("user_id").asString()).isEqualTo("demo");
        assertThat(deletion.path("address").asString()).isEqualTo("127.0.0.1");
        assertThat(deletion.path("decided_at").asString()).isNotEmpty();
    }

    @Test
    void an_auditor_sees_who_read_data_of_all_projects_in_one_request() {
        product.as("planner").get("/api/usage?by=project").expect(200);
        String question = "/api/audit/reads?user=planner";
        Await.until("the read is recorded", () -> !reads(question).isEmpty());

        JsonNode read = reads(question).get(0);

        assertThat(read.path("path").asString()).isEqualTo("/api/usage");
        assertThat(read.path("filter").asString()).isEqualTo("by=project");
        assertThat(read.path("address").asString()).isEqualTo("127.0.0.1");
    }

    private static JsonNode reads(String question) {
        return auditor.get(question).expect(200).path("reads");
    }

    @Test
    void an_auditor_sees_who_tried_what_is_forbidden_in_one_request() {
        String lease = id(lease());
        product.as("reader").delete("/api/leases/" + lease).expect(403);
        String question = "/api/audit/denied?user=reader";
        Await.until("the attempt is recorded", () -> !denied(question).isEmpty());

        JsonNode attempt = denied(question).get(0);

        assertThat(attempt.path("target").asString()).contains(lease);
        assertThat(attempt.path("why").asString()).isNotEmpty();
    }

    private static JsonNode denied(String question) {
        return auditor.get(question).expect(200).path("attempts");
    }

    @Test
    void an_auditor_sees_the_events_of_one_user_in_one_request() {
        Answer lease = lease();

        JsonNode events =
                auditor.getAt("/api/audit/events?user=demo&type=LeaseRequested", lease.position())
                        .expect(200);

        assertThat(events.path("events").valueStream())
                .allSatisfy(
                        event -> {
                            assertThat(event.path("user_id").asString()).isEqualTo("demo");
                            assertThat(event.path("type").asString()).isEqualTo("LeaseRequested");
                        })
                .anySatisfy(
                        event -> {
                            assertThat(event.path("subject").asString()).isEqualTo(id(lease));
                            assertThat(event.path("lease_name").asString()).isEqualTo("timed");
                            assertThat(event.path("project_id").asString()).isEqualTo("demo");
                        });
    }
}
