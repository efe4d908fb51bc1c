package org.leasehold.gateway.api.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.leasehold.command.CommandContext;
import org.leasehold.gateway.api.ApiClient;
import org.leasehold.gateway.api.ApiClient.Answer;
import org.leasehold.gateway.api.ApiTest;
import org.leasehold.gateway.api.ApiTestServer;
import org.leasehold.gateway.api.InMemoryApi;
import org.leasehold.gateway.api.problem.ProblemException;
import org.leasehold.gateway.v1.InMemoryEngine;
import org.leasehold.inventory.PropertyVisibility;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.vocabulary.UserId;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Scanner;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

@ApiTest
class ApiEventsTest {

    private static final String FEED = "/api/events";
    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @Autowired InMemoryEngine engine;
    @Autowired FakeEventFeed feed;
    @LocalServerPort int port;

    private ApiClient client;

    /** Other tests share the server. */
    @AfterEach
    void forget() {
        feed.forget();
    }

    @BeforeEach
    void live() {
        client = new ApiClient(new InMemoryApi(port, engine));
        feed.forget();
        feed.happened(
                "p1",
                "ReservationGranted",
                "{\"allocations\": [{\"resource\": 7, \"name\": \"compute-7\","
                        + " \"properties\": {\"secret\": \"x\"}}], \"share\": 0.10}");
        feed.happened("p2", "LeaseRequested", "{}");
        feed.happened("-", "ResourceEnrolled", "{\"capabilities\": {\"gpu\": \"V100\"}}");
        feed.happened("p1", "LeaseEnded", "{}");
    }

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

    @Test
    void a_stream_sends_new_events_and_resumes_after_the_last_event_id() throws Exception {
        try (Listener stream = open("member", "")) {
            assertThat(stream.events(2))
                    .extracting(StreamedEvent::position)
                    .containsExactly("1", "4");
            feed.happened("p2", "LeaseEnded", "{}");
            feed.happened("p1", "LeaseDeleted", "{}");
            assertThat(stream.events(1)).extracting(StreamedEvent::position).containsExactly("6");
        }
        feed.happened("p1", "LeaseRequested", "{}");
        try (Listener stream = open("member", "", "Last-Event-ID", "4")) {
            assertThat(stream.events(2))
                    .extracting(StreamedEvent::position)
                    .containsExactly("6", "7");
        }
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
    void a_stream_sends_the_same_events_as_a_page() throws Exception {
        JsonNode first = client.get("auditor", FEED).json().path("events").path(0);

        try (Listener stream = open("auditor", "?types=ReservationGranted")) {
            assertThat(stream.events(1).getFirst().event()).isEqualTo(first);
        }
    }

    @Test
    void a_stream_beyond_the_limit_of_a_user_ends_the_oldest_stream() throws Exception {
        List<Listener> streams = new ArrayList<>();
        try {
            for (int i = 0; i <= EventWaiters.MAX_WAITERS_PER_USER; i++) {
                streams.add(open("biller", "?after=4"));
            }
            assertThat(streams.getFirst().isOver()).isTrue();

            feed.happened("p1", "LeaseDeleted", "{}");

            for (Listener stream : streams.subList(1, streams.size())) {
                assertThat(stream.events(1))
                        .extracting(StreamedEvent::position)
                        .containsExactly("5");
            }
        } finally {
            for (Listener stream : streams) {
                stream.close();
            }
        }
    }

    @Test
    void a_user_with_too_many_unclosed_streams_gets_429() {
        EventWaiters waiters = new EventWaiters(feed, feed);
        waiters.start();
        CountDownLatch enough = new CountDownLatch(1);
        UserId user = new UserId("greedy");
        for (int i = 0; i < 2 * EventWaiters.MAX_WAITERS_PER_USER; i++) {
            waiters.startWaiter(user, _ -> await(enough));
        }

        assertThatThrownBy(() -> waiters.startWaiter(user, _ -> {}))
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        refused -> assertThat(refused.problem().status()).isEqualTo(429));
        waiters.startWaiter(new UserId("another"), _ -> {});

        enough.countDown();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void a_node_limits_the_number_of_streams() throws Exception {
        EventWaiters streams = new EventWaiters(feed, feed);
        streams.start();
        CountDownLatch enough = new CountDownLatch(1);
        for (int i = 0; i < EventWaiters.MAX_WAITERS; i++) {
            streams.startWaiter(new UserId("user-" + i), _ -> await(enough));
        }
        UserId late = new UserId("late");
        assertThatThrownBy(() -> streams.startWaiter(late, _ -> {}))
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        refused -> assertThat(refused.problem().status()).isEqualTo(429));

        enough.countDown();

        CountDownLatch done = new CountDownLatch(1);
        for (int i = 0; i < 1000 && done.getCount() > 0; i++) {
            try {
                streams.startWaiter(late, _ -> done.countDown());
            } catch (ProblemException full) {
                Thread.sleep(10);
            }
        }
        assertThat(done.await(10, TimeUnit.SECONDS)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "?after=-1",
                "?after=x",
                "?limit=0",
                "?limit=1001",
                "?wait=PT31S",
                "?wait=-PT1S",
                "?types=a;b",
                "?nothing=1"
            })
    void an_invalid_parameter_answers_400(String query) {
        Answer answer = client.get("member", FEED + query);

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.isProblem()).isTrue();
    }

    @Test
    void the_last_numbers_reject_query_parameters() {
        Answer answer = client.get("member", FEED + "/numbers?project=p2");

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.isProblem()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"?after=900000000000000000", "?after=900000000000000000&wait=PT30S"})
    void a_position_beyond_the_last_event_answers_409(String query) throws Exception {
        for (String accept : List.of("application/json", "text/event-stream")) {
            String asked = accept.startsWith("text") ? query.replaceAll("&wait.*", "") : query;
            Answer answer =
                    client.send(client.request("member", FEED + asked).header("Accept", accept));

            assertThat(answer.status()).isEqualTo(409);
            assertThat(answer.json().path("type").asString())
                    .isEqualTo("/problems/position-not-reached");
        }
        assertThat(send("member", "", "Last-Event-ID", "900000000000000000").statusCode())
                .isEqualTo(409);
    }

    @Test
    void an_unknown_type_is_rejected_with_a_list_of_known_types() {
        Answer answer = client.get("admin", FEED + "?types=LeaseEnded,LeaseFinished");

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.names("types")).isTrue();
        assertThat(answer.json().path("detail").asString())
                .contains("LeaseDeleted, LeaseEndAnnounced, LeaseEnded");
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

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "application/json, text/event-stream;q=0.1 | application/json",
                "text/event-stream;q=0.1, application/json;q=0.2 | application/json",
                "text/event-stream;q=0, */* | application/json",
                "application/json;q=0.1, text/event-stream | text/event-stream",
                "text/event-stream, */*;q=0.5 | text/event-stream",
                "*/* | application/json",
            })
    void the_accept_header_selects_json_or_an_event_stream(String accept, String type) {
        assertThat(client.begin("member", FEED, accept).headers().firstValue("Content-Type"))
                .hasValueSatisfying(said -> assertThat(said).startsWith(type));
    }

    @Test
    void an_invalid_last_event_id_answers_400() throws Exception {
        assertThat(send("member", "", "Last-Event-ID", "x").statusCode()).isEqualTo(400);
    }

    private static String positions(JsonNode page) {
        return page.path("events")
                .valueStream()
                .map(event -> event.path("position").asString())
                .collect(Collectors.joining(" "));
    }

    private Listener open(String user, String query, String... headers) throws Exception {
        HttpResponse<InputStream> answer = send(user, query, headers);
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Content-Type").orElse(""))
                .startsWith("text/event-stream");
        return new Listener(answer.body());
    }

    private HttpResponse<InputStream> send(String user, String query, String... headers)
            throws Exception {
        HttpRequest.Builder request =
                client.request(user, FEED + query)
                        .header("Accept", "text/event-stream")
                        .timeout(Duration.ofSeconds(30));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return HTTP.send(request.build(), BodyHandlers.ofInputStream());
    }

    private record StreamedEvent(String position, JsonNode event) {}

    /** A stream over a socket, read as a browser does. */
    private record Listener(InputStream body, Scanner lines) implements AutoCloseable {

        Listener(InputStream body) {
            this(body, new Scanner(body, StandardCharsets.UTF_8));
        }

        List<StreamedEvent> events(int count) {
            List<StreamedEvent> received = new ArrayList<>();
            String id = "";
            while (received.size() < count) {
                String line = lines.nextLine();
                if (line.startsWith("id:")) {
                    id = line.substring(3);
                } else if (line.startsWith("data:")) {
                    received.add(new StreamedEvent(id, ApiClient.JSON.readTree(line.substring(5))));
                }
            }
            return received;
        }

        /** Waits for the end. */
        boolean isOver() {
            while (lines.hasNextLine()) {
                lines.nextLine();
            }
            return true;
        }

        @Override
        public void close() throws IOException {
            body.close();
        }
    }
}
