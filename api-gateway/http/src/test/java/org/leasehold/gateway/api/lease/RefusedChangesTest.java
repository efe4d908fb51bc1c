package org.leasehold.gateway.api.lease;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.leasehold.calendar.Shortage;
import org.leasehold.gateway.api.ApiClient;
import org.leasehold.gateway.api.ApiClient.Answer;
import org.leasehold.gateway.api.ApiTest;
import org.leasehold.gateway.api.InMemoryApi;
import org.leasehold.gateway.v1.InMemoryEngine;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ReservationId;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

import tools.jackson.databind.JsonNode;

import java.time.Instant;

/** Changes of a lease of instances that the calendar cannot hold: it is hosts that are short. */
@ApiTest
class RefusedChangesTest {

    private static final Instant START = Instant.parse("2026-11-22T08:00:00Z");
    private static final Instant NEXT_START = Instant.parse("2026-11-22T11:00:00Z");
    private static final Instant YEAR_10000 = Instant.parse("+10000-01-01T00:05:00Z");

    @Autowired InMemoryEngine engine;
    @LocalServerPort int port;

    private ApiClient client;
    private Answer created;
    private String lease;

    @BeforeEach
    void a_lease_of_instances_exists() {
        engine.reset();
        client = new ApiClient(new InMemoryApi(port, engine));
        created =
                client.send(
                        "member",
                        "POST",
                        "/api/leases",
                        """
                        {"name": "small", "start": "2026-11-22T08:00:00Z",
                         "end": "2026-11-22T10:00:00Z", "reservations": [%s]}
                        """
                                .formatted(instances(2)));
        assertThat(created.status()).as(created.toString()).isEqualTo(201);
        lease = created.header("Location");
    }

    private static String instances(int amount) {
        return """
        {"kind": "flavor:instance", "parameters":
          {"flavor_id": "small", "amount": %s, "affinity": "none"}}
        """
                .formatted(amount);
    }

    private ReservationId reservation() {
        return ReservationId.of(created.json().at("/reservations/0/id").asString());
    }

    private static Shortage shortage(ReservationId reservation, Instant end, Instant nextStart) {
        return new Shortage(
                reservation,
                ResourceKind.PHYSICAL_HOST,
                3,
                2,
                1,
                new LeasePeriod(START, end),
                0,
                nextStart);
    }

    private Answer patch(String tag, String body) {
        return client.send(client.request("member", lease).header("If-Match", tag), "PATCH", body);
    }

    private Answer grow() {
        return patch(
                "\"1\"",
                "{\"reservations\": [{\"id\": \"%s\", \"parameters\": {\"amount\": 3}}]}"
                        .formatted(reservation()));
    }

    private static void assertNamesInstances(Answer refused) {
        assertThat(refused.status()).as(refused.toString()).isEqualTo(409);
        assertThat(refused.isProblem()).isTrue();
        assertThat(refused.json().at("/shortages/0/kind").asString())
                .as(refused.toString())
                .isEqualTo("flavor:instance");
        assertThat(refused.json().path("detail").asString())
                .startsWith("3 of flavor:instance wanted, 2 match");
        assertThat(refused.response().body()).doesNotContain("physical:host");
    }

    @Test
    void a_refused_change_names_the_kind_of_the_changed_reservation() {
        engine.refuseNext(shortage(reservation(), START.plusSeconds(7200), NEXT_START));

        Answer refused = grow();

        assertNamesInstances(refused);
        assertThat(refused.json().at("/shortages/0/reservation_id").asString())
                .isEqualTo(reservation().toString());
        assertThat(refused.json().at("/shortages/0/next_start").asString())
                .isEqualTo(NEXT_START.toString());
    }

    @Test
    void a_refused_change_names_the_kind_of_the_added_reservation() {
        engine.refuseFirstOfNext(shortage(reservation(), START.plusSeconds(7200), NEXT_START));

        assertNamesInstances(patch("\"1\"", "{\"further\": [%s]}".formatted(instances(3))));
    }

    @Test
    void a_refused_change_keeps_the_lease_and_the_entity_tag() {
        engine.refuseNext(shortage(reservation(), START.plusSeconds(7200), NEXT_START));

        Answer refused = grow();

        assertThat(refused.status()).as(refused.toString()).isEqualTo(409);
        assertThat(refused.header("ETag")).isEmpty();
        assertThat(refused.position()).isEqualTo(engine.position());
        assertThat(engine.lastContext().expectedVersions()).containsExactly(1L);
        Answer shown = client.get("member", lease);
        assertThat(shown.json()).isEqualTo(created.json());
        assertThat(shown.header("ETag")).isEqualTo("\"1\"");
        assertThat(grow().header("ETag")).isEqualTo("\"2\"");
    }

    @Test
    void a_start_after_the_last_instant_of_requests_is_not_offered() {
        engine.refuseNext(shortage(reservation(), YEAR_10000, YEAR_10000));

        Answer refused = grow();

        JsonNode shortfall = refused.json().at("/shortages/0");
        assertThat(shortfall.path("end").asString()).isEqualTo("9999-12-31T23:59:59Z");
        assertThat(shortfall.path("next_start").isString()).as(refused.toString()).isFalse();
        assertThat(refused.response().body()).doesNotContain("10000-01-01", "next start");
    }
}
