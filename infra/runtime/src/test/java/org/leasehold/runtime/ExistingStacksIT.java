package org.leasehold.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.resource.simulator.stack.SimulatedStack.State;
import org.leasehold.runtime.DemoProject.Lease;
import org.leasehold.vocabulary.ProjectId;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/** Tests leases of stacks that a project has already, and of stacks that are left suspended. */
class ExistingStacksIT extends StackLifecycleFixture {

    @Test
    void a_stack_without_leased_resources_can_be_leased_and_left_suspended() {
        Map<String, Object> wish =
                new HashMap<>(wish(Map.of("word", Map.of("type", "OS::Heat::RandomString"))));
        wish.put("on_end", "suspend");
        Lease lease = DemoProject.of(tenant.askNow(wish).expect(201).path("lease"));
        tenant.awaitStatus(lease, "ACTIVE");
        UUID stack = stackOf(lease).orElseThrow().id();

        tenant.end(lease);
        tenant.awaitStatus(lease, "TERMINATED");

        assertThat(stack(stack).state()).isEqualTo(State.SUSPENDED);
        assertThat(stack(stack).reservation()).isNull();
    }

    @Test
    void an_existing_stack_is_suspended_before_the_start_and_after_the_end() {
        UUID id =
                product.cloud()
                        .createStack(
                                "mine",
                                new ProjectId(project()),
                                template(Map.of("web", server("m1.tiny", "nova"))));
        Instant start = product.now().plus(Duration.ofHours(1));
        JsonNode accepted =
                product.as("demo")
                        .post(
                                "/api/leases",
                                DemoProject.request(
                                        "later",
                                        start,
                                        start.plus(Duration.ofHours(1)),
                                        KIND,
                                        Map.of("stack_id", id.toString())))
                        .expect(201);
        Lease lease = DemoProject.of(accepted);
        assertThat(accepted.at("/reservations/0/reservations/0/kind").asString())
                .isEqualTo("virtual:server");
        assertThat(accepted.at("/reservations/0/reservations/0/status").asString())
                .isEqualTo("inactive");
        Await.until("it is suspended", () -> stack(id).state() == State.SUSPENDED);

        tenant.change(lease, Map.of("start_date", "now")).expect(200);
        tenant.awaitStatus(lease, "ACTIVE");
        assertThat(stack(id).state()).isEqualTo(State.COMPLETE);
        tenant.end(lease);
        tenant.awaitStatus(lease, "TERMINATED");

        assertThat(stack(id).state()).isEqualTo(State.SUSPENDED);
    }

    @Test
    void availability_of_a_stack_reflects_a_change_of_a_pending_stack() {
        Instant start = product.now().plus(Duration.ofDays(2)).truncatedTo(ChronoUnit.SECONDS);
        Map<String, Object> disk = Map.of("disk", volume("gold", 1_000));
        Lease lease =
                DemoProject.of(
                        tenant.askLater(start, start.plus(Duration.ofHours(2)), wish(disk))
                                .expect(201)
                                .path("lease"));
        Map<String, Object> question =
                Map.of(
                        "kind",
                        KIND,
                        "parameters",
                        Map.of(
                                "template",
                                template(
                                        Map.of(
                                                "web", server("m1.tiny", "nova"),
                                                "disk", volume("gold", 1_000)))),
                        "duration",
                        "PT1H",
                        "earliest",
                        start.toString());
        JsonNode full = product.as("demo").post("/api/availability", question).expect(200);
        assertThat(Instant.parse(full.at("/openings/0/from").asString())).isAfter(start);

        change(lease, Map.of("disk", volume("silver", 1))).expect(200);

        JsonNode free = product.as("demo").post("/api/availability", question).expect(200);
        assertThat(Instant.parse(free.at("/openings/0/from").asString())).isEqualTo(start);
        tenant.delete(lease);
        tenant.awaitStatus(lease, "gone");
    }
}
