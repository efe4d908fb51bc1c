package org.leasehold.gateway.api.lease;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.gateway.api.ApiClient.Answer;
import org.leasehold.gateway.api.ApiTest;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.readmodel.operation.Drift;
import org.leasehold.readmodel.operation.StuckActionQuery;
import org.leasehold.readmodel.operation.StuckActionQuery.StuckAction;
import org.leasehold.readmodel.operation.StuckActionQuery.Target;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.TrustId;
import org.leasehold.vocabulary.UserId;

import tools.jackson.databind.JsonNode;

import java.util.List;
import java.util.UUID;

/** Tests failed actions of resources, and the report of drift. */
@ApiTest
class StuckResourcesTest extends ApiLeasesFixture {

    @Test
    void enrolling_a_host_unknown_to_the_cloud_answers_404() {
        Answer answer =
                client.send(
                        "admin",
                        "POST",
                        "/api/resources",
                        "{\"kind\": \"physical:host\", \"name\": \"nowhere\"}");
        assertThat(answer.status()).isEqualTo(404);
        assertThat(answer.names("name")).isTrue();
    }

    @Test
    void the_drift_report_is_for_administrators_only() {
        ReservationId left = new ReservationId(UUID.randomUUID());
        ReservationId lost = new ReservationId(UUID.randomUUID());
        LeaseId lease = new LeaseId(UUID.randomUUID());
        calendar.drifts(
                new Drift.Comparison(
                        List.of(
                                new Drift.Leftover(
                                        ResourceKind.PHYSICAL_HOST, left, List.of("host/node1"))),
                        List.of(new Drift.Missing(ResourceKind.PHYSICAL_HOST, lease, lost)),
                        List.of(
                                new Drift.Squatter(
                                        ResourceKind.PHYSICAL_HOST,
                                        "42",
                                        "web",
                                        "node2",
                                        new ProjectId("p-else"),
                                        null)),
                        List.of(
                                new Drift.Stray(
                                        ResourceKind.PHYSICAL_HOST,
                                        new ResourceId(7),
                                        "node7",
                                        lost)),
                        List.of(
                                new Drift.Orphan(
                                        new TrustId("trust-1"),
                                        new UserId("u1"),
                                        new ProjectId("p1"))),
                        List.of(new Drift.Abandoned(lease, new ProjectId("p-gone"), true)),
                        List.of(new Drift.Unseen(new ResourceKind("parking:space"), "no answer"))));

        JsonNode drift = client.get("admin", "/api/operations/drift").json();

        assertThat(drift.at("/leftovers/0/reservation_id").asString()).isEqualTo(left.toString());
        assertThat(drift.at("/leftovers/0/things/0").asString()).isEqualTo("host/node1");
        assertThat(drift.at("/missing/0/lease_id").asString()).isEqualTo(lease.toString());
        assertThat(drift.at("/missing/0/kind").asString()).isEqualTo("physical:host");
        JsonNode squatter = drift.at("/squatters/0");
        assertThat(squatter.path("id").asString()).isEqualTo("42");
        assertThat(squatter.path("name").asString()).isEqualTo("web");
        assertThat(squatter.path("resource").asString()).isEqualTo("node2");
        assertThat(squatter.path("project_id").asString()).isEqualTo("p-else");
        assertThat(squatter.path("reservation_id").isNull()).isTrue();
        assertThat(drift.at("/strays/0").toString())
                .isEqualTo(
                        "{\"kind\":\"physical:host\",\"resource_id\":7,\"name\":\"node7\","
                                + "\"reservation_id\":\"%s\"}".formatted(lost));
        assertThat(drift.at("/orphans/0").toString())
                .isEqualTo("{\"trust_id\":\"trust-1\",\"user_id\":\"u1\",\"project_id\":\"p1\"}");
        assertThat(drift.at("/abandoned/0").toString())
                .isEqualTo(
                        "{\"lease_id\":\"%s\",\"project_id\":\"p-gone\",\"deleted\":true}"
                                .formatted(lease));
        assertThat(drift.at("/unseen/0/why").asString()).isEqualTo("no answer");
        assertThat(client.get("member", "/api/operations/drift").status()).isEqualTo(403);
    }

    @Test
    void a_stuck_resource_is_listed_and_can_be_retried() {
        long host = enrol();
        String retry = "/api/operations/resources/%d/retry";
        calendar.isStuck(
                new StuckAction(
                        new Target.Resource(
                                new ResourceId(host),
                                ResourceKind.PHYSICAL_HOST,
                                "compute-1",
                                StuckActionQuery.Change.RETIRE),
                        3,
                        "no answer",
                        START,
                        START));
        JsonNode stuck =
                client.get("admin", "/api/operations/stuck")
                        .json()
                        .path("actions")
                        .valueStream()
                        .filter(action -> action.path("resource_id").asLong() == host)
                        .findFirst()
                        .orElseThrow();
        assertThat(stuck.path("action").asString()).isEqualTo("retire");
        assertThat(stuck.path("name").asString()).isEqualTo("compute-1");
        assertThat(stuck.path("lease_id").isNull()).isTrue();
        assertThat(client.send("admin", "POST", retry.formatted(host), null).status())
                .isEqualTo(204);
        assertThat(client.send("admin", "POST", retry.formatted(host), null).status())
                .isEqualTo(409);
        assertThat(client.send("admin", "POST", retry.formatted(4711), null).status())
                .isEqualTo(404);
    }
}
