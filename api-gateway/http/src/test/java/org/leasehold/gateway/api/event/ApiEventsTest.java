package org.leasehold.gateway.api.event;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.leasehold.command.CommandContext;
import org.leasehold.gateway.api.ApiClient.Answer;
import org.leasehold.gateway.api.ApiTest;
import org.leasehold.gateway.api.ApiTestServer;
import org.leasehold.inventory.PropertyVisibility;
import org.leasehold.inventory.ResourceKind;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

/** The events that a user receives, and their pages. */
@ApiTest
class ApiEventsTest extends ApiEventsFixture {

    @ParameterizedTest
    @CsvSource({
        "reader, 1 4",
        "member, 1 4",
        "stranger, 2",
        "admin, 1 2 3 4",
        "auditor, 1 2 3 4",
        "planner, 3",
        "biller, 1 2 4"
    })
    void a_user_receives_exactly_the_permitted_events(String user, String positions)
            throws Exception {
        assertThat(positions(client.get(user, FEED).json())).isEqualTo(positions);
        assertThat(positions(client.get(user, FEED + "?wait=PT5S").json())).isEqualTo(positions);
        try (Listener stream = open(user, "")) {
            int own = positions.split(" ").length;
            assertThat(stream.events(own))
                    .extracting(StreamedEvent::position)
                    .isEqualTo(List.of(positions.split(" ")));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "reader, p1 2",
        "member, p1 2",
        "stranger, p2 1",
        "admin, - 1 p1 2 p2 1",
        "auditor, - 1 p1 2 p2 1",
        "planner, - 1",
        "biller, p1 2 p2 1"
    })
    void a_user_receives_the_last_numbers_of_the_permitted_projects(String user, String numbers) {
        JsonNode received = client.get(user, FEED + "/numbers").json();

        assertThat(received.path("position").asLong()).isEqualTo(4);
        assertThat(
                        received.path("projects")
                                .valueStream()
                                .map(
                                        each ->
                                                each.path("project_id").asString()
                                                        + " "
                                                        + each.path("number").asLong())
                                .collect(Collectors.joining(" ")))
                .isEqualTo(numbers);
    }

    @Test
    void an_event_is_a_cloud_event() {
        JsonNode event = client.get("admin", FEED + "?limit=1").json().path("events").path(0);

        assertThat(event.path("specversion").asString()).isEqualTo("1.0");
        assertThat(event.path("id").asString()).isEqualTo("00000000-0000-0000-0000-000000000001");
        assertThat(event.path("source").asString()).isEqualTo("leasehold");
        assertThat(event.path("type").asString()).isEqualTo("org.leasehold.ReservationGranted");
        assertThat(event.path("subject").asString()).isEqualTo("7");
        assertThat(event.path("time").asString()).isEqualTo("2026-11-21T00:33:00Z");
        assertThat(event.path("projectsequence").asString()).isEqualTo("1");
        assertThat(event.has("causationid")).isFalse();
        assertThat(client.get("admin", FEED + "?limit=1").toString())
                .as("to the last digit")
                .contains("\"share\":0.10");
    }

    @Test
    void only_administrators_see_the_properties_of_allocated_resources() {
        String path = FEED + "?limit=1";

        assertThat(client.get("admin", path).toString()).contains("secret");
        assertThat(client.get("auditor", path).toString())
                .contains("compute-7")
                .doesNotContain("secret");
        assertThat(client.get("member", path).toString())
                .contains("compute-7")
                .doesNotContain("secret");
    }

    @Test
    void the_subject_of_an_event_omits_the_name_of_a_hidden_property() {
        engine.send(
                new PropertyVisibility(ResourceKind.PHYSICAL_HOST, "secretModel", true),
                CommandContext.ofEngine(ApiTestServer.NOW, "req-1", null));
        feed.happened(
                "-",
                "Property",
                "physical:host/secretModel",
                "PropertyVisibility",
                "{\"kind\": \"physical:host\", \"property\": \"secretModel\", \"hidden\": true}");

        assertThat(client.get("admin", FEED + "?after=4").json().toString())
                .contains("secretModel");
        JsonNode received = client.get("planner", FEED + "?after=4").json();
        assertThat(received.at("/events/0/subject").asString()).isEqualTo("physical:host");
        assertThat(received.toString()).doesNotContain("secretModel");
    }

    @Test
    void paging_returns_each_event_once() {
        List<String> read = new ArrayList<>();
        long after = 0;
        JsonNode page;
        do {
            page = client.get("admin", FEED + "?limit=3&after=" + after).json();
            read.add(positions(page));
            after = page.path("next").asLong();
        } while (!page.path("events").isEmpty());

        assertThat(read).containsExactly("1 2 3", "4", "");
        assertThat(positions(client.get("admin", FEED + "?types=LeaseEnded,LeaseRequested").json()))
                .isEqualTo("2 4");
    }

    @Test
    void the_types_filter_accepts_short_and_prefixed_names() {
        assertThat(
                        positions(
                                client.get("admin", FEED + "?types=org.leasehold.LeaseRequested")
                                        .json()))
                .isEqualTo(positions(client.get("admin", FEED + "?types=LeaseRequested").json()))
                .isNotEmpty();
    }

    @Test
    void a_waiting_request_is_answered_by_the_next_permitted_event() throws Exception {
        CompletableFuture<Answer> waiting =
                CompletableFuture.supplyAsync(
                        () -> client.get("member", FEED + "?after=4&wait=PT30S"));
        feed.happened("p2", "LeaseEnded", "{}");
        Thread.sleep(300);
        assertThat(waiting).isNotDone();

        feed.happened("p1", "LeaseDeleted", "{}");

        JsonNode page = waiting.get().json();
        assertThat(positions(page)).isEqualTo("6");
        assertThat(page.path("next").asLong()).isEqualTo(6);
    }

    @Test
    void a_waiting_request_gets_an_empty_page_after_the_timeout() {
        Answer answer = client.get("member", FEED + "?after=4&wait=PT0.2S");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.json().path("events")).isEmpty();
        assertThat(answer.json().path("next").asLong()).isEqualTo(4);
    }
}
