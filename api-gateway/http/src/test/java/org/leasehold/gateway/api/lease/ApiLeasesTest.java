package org.leasehold.gateway.api.lease;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.command.CommandContext;
import org.leasehold.gateway.api.ApiClient.Answer;
import org.leasehold.gateway.api.ApiFixture;
import org.leasehold.gateway.api.ApiTest;
import org.leasehold.gateway.api.ApiTestServer;
import org.leasehold.inventory.ResourceId;
import org.leasehold.readmodel.resource.Resources.Holding;
import org.leasehold.readmodel.resource.Resources.ResourceCalendar;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;

import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import java.util.UUID;

@ApiTest
class ApiLeasesTest extends ApiLeasesFixture {

    @Test
    void a_created_lease_answers_with_location_etag_and_position() {
        Answer created = create();
        assertThat(created.status()).isEqualTo(201);
        assertThat(created.header("Location"))
                .isEqualTo("/api/leases/" + created.json().path("id").asString());
        assertThat(created.header("ETag")).isEqualTo("\"1\"");
        assertThat(created.header("Leasehold-Position"))
                .isEqualTo(Long.toString(engine.position()));
        assertThat(created.json().path("status").asString()).isEqualTo("inactive");
        assertThat(created.json().path("start").asString()).isEqualTo("2026-11-22T08:00:00Z");
        Answer shown = client.get("reader", created.header("Location"));
        assertThat(shown.json()).isEqualTo(created.json());
        assertThat(shown.header("ETag")).isEqualTo("\"1\"");
    }

    @Test
    void a_response_includes_the_requested_position_or_answers_503() {
        String here = create().header("Leasehold-Position");
        assertThat(askAt(here).status()).isEqualTo(200);

        Answer behind = askAt(Long.toString(engine.position() + 1));
        assertThat(behind.status()).isEqualTo(503);
        assertThat(behind.isProblem()).isTrue();
        assertThat(behind.json().path("type").asString()).isEqualTo("/problems/behind");
        assertThat(behind.header("Retry-After")).isEqualTo("1");

        Answer nonsense = askAt("soon");
        assertThat(nonsense.status()).isEqualTo(400);
        assertThat(nonsense.names("Leasehold-Position")).isTrue();
    }

    private Answer askAt(String position) {
        return client.send(
                client.request("reader", "/api/leases")
                        .header("Leasehold-Position", position)
                        .GET());
    }

    @Test
    void a_lease_without_a_start_starts_now() {
        Answer created =
                client.send(
                        "member",
                        "POST",
                        "/api/leases",
                        "{\"name\": \"\", \"end\": \"2026-11-22T10:00:00Z\", \"reservations\":"
                                + " []}");
        assertThat(created.json().path("start").asString()).isEqualTo(ApiTestServer.NOW.toString());
        assertThat(created.json().path("status").asString()).isEqualTo("to_be_started");
    }

    @Test
    void optional_parameters_can_be_omitted() {
        for (String reservation :
                List.of(
                        "{\"kind\": \"physical:host\", \"parameters\": {\"min\": 1, \"max\": 1}}",
                        """
                        {"kind": "physical:host", "parameters":
                          {"min": 1.0, "max": 1e0}}
                        """,
                        """
                        {"kind": "flavor:instance", "parameters":
                          {"flavor_id": "small", "amount": 1, "affinity": null}}
                        """,
                        """
                        {"kind": "flavor:instance", "parameters":
                          {"flavor_id": "small", "amount": 1}}
                        """)) {
            Answer created = named("x", reservation);
            assertThat(created.status()).as(created.toString()).isEqualTo(201);
        }
    }

    @Test
    void the_length_of_a_name_is_counted_in_code_points() {
        Answer longest = named("\uD83D\uDE00".repeat(80), "");
        Answer tooLong = named("\uD83D\uDE00".repeat(81), "");

        assertThat(longest.status()).as(longest.toString()).isEqualTo(201);
        assertThat(tooLong.status()).as(tooLong.toString()).isEqualTo(400);
        assertThat(tooLong.names("name")).as(tooLong.toString()).isTrue();
    }

    @Test
    void a_deleted_lease_is_not_found() {
        String lease = create().header("Location");
        assertThat(client.send("member", "DELETE", lease, null).status()).isEqualTo(204);
        assertThat(client.get("member", lease).status()).isEqualTo(404);
    }

    @Test
    void a_repeated_request_has_the_same_idempotency_key() {
        CommandContext first = createUnderKey();
        CommandContext second = createUnderKey();
        assertThat(second.idempotency()).isNotNull().isEqualTo(first.idempotency());
    }

    private CommandContext createUnderKey() {
        client.send(
                client.request("member", "/api/leases")
                        .header("Content-Type", "application/json")
                        .header("Idempotency-Key", "k")
                        .POST(BodyPublishers.ofString(WISH)));
        return engine.lastContext();
    }

    @Test
    void the_next_links_lead_through_all_leases() {
        for (int i = 0; i < 3; i++) {
            create();
        }
        Answer first = client.get("member", "/api/leases?limit=2&status=inactive");
        assertThat(first.json().path("leases").size()).isEqualTo(2);
        String link = first.header("Link");
        assertThat(link).endsWith(">; rel=\"next\"");
        Answer last = client.get("member", link.substring(1, link.indexOf('>')));
        assertThat(last.json().path("leases").size()).isEqualTo(1);
        assertThat(last.header("Link")).isEmpty();
        assertThat(client.get("member", "/api/leases?status=active").json().path("leases").size())
                .isZero();
    }

    @Test
    void the_get_and_post_availability_queries_are_equivalent() {
        client.send(
                "reader",
                "POST",
                "/api/availability",
                """
                {"kind": "physical:host", "duration": "PT2H", "earliest": "2026-11-22T08:00:00Z",
                 "horizon": "2026-11-23T08:00:00Z", "limit": 3, "parameters": {"min": 2, "max": 2,
                   "hypervisor_properties": "", "resource_properties": "[\\"==\\", \\"$gpu\\", \\"V100\\"]"}}
                """);
        var asked = calendar.lastQuestion();
        Answer answer =
                client.get(
                        "reader",
                        "/api/availability?kind=physical:host&duration=PT2H&minimum=2&limit=3"
                                + "&earliest=2026-11-22T08:00:00Z&horizon=2026-11-23T08:00:00Z"
                                + "&requirement="
                                + ApiFixture.encoded("[\"==\", \"$gpu\", \"V100\"]"));
        assertThat(calendar.lastQuestion()).isEqualTo(asked);
        assertThat(answer.json().at("/openings/0/free").asInt()).isEqualTo(4);
        assertThat(answer.json().at("/openings/0/from").asString())
                .isEqualTo("2026-11-22T08:00:00Z");
    }

    @Test
    void disabling_a_host_returns_the_affected_leases() {
        long host = enrol();
        engine.resources()
                .hold(
                        new ResourceCalendar(
                                new ResourceId(host),
                                "compute-1",
                                List.of(
                                        new Holding(
                                                new ReservationId(UUID.randomUUID()),
                                                ID,
                                                new ProjectId("p1"),
                                                PERIOD))));
        Answer disabled =
                client.send(
                        "admin",
                        "POST",
                        "/api/resources/" + host + "/disable",
                        "{\"reason\": \"new memory\"}");
        assertThat(disabled.json().at("/affected_leases/0").asString()).isEqualTo(ID.toString());
        assertThat(disabled.json().at("/resource/disabled_reason").asString())
                .isEqualTo("new memory");
        Answer enabled = client.send("admin", "POST", "/api/resources/" + host + "/enable", null);
        assertThat(enabled.json().path("reservable").asBoolean()).isTrue();
    }
}
