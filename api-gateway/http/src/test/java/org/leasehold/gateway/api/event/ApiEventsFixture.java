package org.leasehold.gateway.api.event;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.leasehold.gateway.api.ApiClient;
import org.leasehold.gateway.api.InMemoryApi;
import org.leasehold.gateway.v1.InMemoryEngine;
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
import java.util.stream.Collectors;

/** The client, the events, and the streams of the tests of event routes. */
abstract class ApiEventsFixture {

    static final String FEED = "/api/events";
    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @Autowired InMemoryEngine engine;
    @Autowired FakeEventFeed feed;
    @LocalServerPort int port;

    ApiClient client;

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

    /** Other tests share the server. */
    @AfterEach
    void forget() {
        feed.forget();
    }

    static String positions(JsonNode page) {
        return page.path("events")
                .valueStream()
                .map(event -> event.path("position").asString())
                .collect(Collectors.joining(" "));
    }

    Listener open(String user, String query, String... headers) throws Exception {
        HttpResponse<InputStream> answer = send(user, query, headers);
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Content-Type").orElse(""))
                .startsWith("text/event-stream");
        return new Listener(answer.body());
    }

    HttpResponse<InputStream> send(String user, String query, String... headers) throws Exception {
        HttpRequest.Builder request =
                client.request(user, FEED + query)
                        .header("Accept", "text/event-stream")
                        .timeout(Duration.ofSeconds(30));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return HTTP.send(request.build(), BodyHandlers.ofInputStream());
    }

    record StreamedEvent(String position, JsonNode event) {}

    /** A stream over a socket, read as a browser does. */
    record Listener(InputStream body, Scanner lines) implements AutoCloseable {

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
