package org.leasehold.gateway.api.lease;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.leasehold.calendar.Shortage;
import org.leasehold.gateway.api.ApiClient.Answer;
import org.leasehold.gateway.api.ApiTest;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.vocabulary.ReservationId;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.util.UUID;

/** Tests refusals and dry runs of new leases. */
@ApiTest
class RefusedLeasesTest extends ApiLeasesFixture {

    @Test
    void a_refusal_lists_shortages_with_the_next_start() {
        engine.refuseNext(shortage());
        Answer refused = create();
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.isProblem()).isTrue();
        assertThat(refused.header("Leasehold-Position")).isEqualTo("" + engine.position());
        JsonNode problem = refused.json();
        assertThat(problem.path("type").asString()).isEqualTo("/problems/not-enough-resources");
        assertThat(problem.path("request_id").asString())
                .isEqualTo(refused.header("X-OpenStack-Request-ID"));
        JsonNode shortfall = problem.path("shortages").path(0);
        assertThat(shortfall.path("kind").asString()).isEqualTo("physical:host");
        assertThat(shortfall.path("wanted").asInt()).isEqualTo(3);
        assertThat(shortfall.path("matching").asInt()).isEqualTo(2);
        assertThat(shortfall.path("missing").asInt()).isEqualTo(2);
        assertThat(shortfall.path("start").asString()).isEqualTo("2026-11-22T08:00:00Z");
        assertThat(shortfall.path("part_start")).isEqualTo(shortfall.path("start"));
        assertThat(shortfall.path("part_end")).isEqualTo(shortfall.path("end"));
        assertThat(shortfall.path("next_start").asString()).isEqualTo("2026-11-22T11:00:00Z");
        assertThat(problem.path("lease_id").asString()).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/api/leases", "/api/leases/dry-run", "/api/quote"})
    void a_refusal_names_the_requested_kind(String path) {
        engine.refuseFirstOfNext(shortage());
        Answer refused =
                client.send(
                        "member",
                        "POST",
                        path,
                        """
                        {"name": "x", "start": "2026-11-22T08:00:00Z",
                         "end": "2026-11-22T10:00:00Z", "reservations": [
                          {"kind": "flavor:instance", "parameters":
                            {"flavor_id": "small", "amount": 3, "affinity": "none"}}]}
                        """);
        JsonNode shortfall = refused.json().at("/shortages/0");
        assertThat(shortfall.path("kind").asString(""))
                .as(refused.toString())
                .isEqualTo("flavor:instance");
        assertThat(refused.response().body()).doesNotContain("physical:host");
        if (path.equals("/api/leases")) {
            assertThat(refused.json().path("detail").asString(""))
                    .startsWith("3 of flavor:instance wanted, 2 match");
        }
    }

    private static Shortage shortage() {
        return new Shortage(
                new ReservationId(UUID.randomUUID()),
                ResourceKind.PHYSICAL_HOST,
                3,
                2,
                1,
                PERIOD,
                0,
                START.plus(Duration.ofHours(3)));
    }

    @Test
    void a_dry_run_returns_the_grants_and_stores_nothing() {
        long before = engine.position();
        Answer answer = client.send("member", "POST", "/api/leases/dry-run", WISH);
        assertThat(answer.json().path("accepted").asBoolean()).isTrue();
        assertThat(answer.json().at("/grants/0/resources/0/name").asString())
                .isEqualTo("compute-1");
        assertThat(engine.position()).isEqualTo(before);
        assertThat(client.get("member", "/api/leases").json().path("leases").isEmpty()).isTrue();
    }

    @Test
    void a_refused_dry_run_answers_200_with_the_shortages() {
        engine.refuseNext(shortage());
        Answer answer = client.send("member", "POST", "/api/leases/dry-run", WISH);
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.json().path("accepted").asBoolean()).isFalse();
        assertThat(answer.json().at("/shortages/0/missing").asInt()).isEqualTo(2);
    }
}
