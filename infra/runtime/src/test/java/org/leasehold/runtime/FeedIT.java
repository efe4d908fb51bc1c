package org.leasehold.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Scanner;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

/** Tests that the feed has no gaps and no repeats, and hides events of other projects. */
class FeedIT {

    private static final int LEASES = 500;
    private static final int CONNECTIONS = 21;
    private static final String FEED = "/api/events";
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @TempDir private static Path folder;
    private static Product product;

    @BeforeAll
    static void start() {
        product = Product.start(folder);
    }

    @AfterAll
    static void stop() {
        product.close();
    }

    @Test
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    void a_reconnecting_feed_reader_receives_every_event_once() throws Exception {
        List<JsonNode> events = new ArrayList<>();
        try (ExecutorService writer = Executors.newSingleThreadExecutor()) {
            Future<Integer> made = writer.submit(FeedIT::make);
            String last = "0";
            // A lease that has only been requested has two events.
            int each = 2 * LEASES / CONNECTIONS;
            for (int connection = 1; connection < CONNECTIONS; connection++) {
                last = read(last, each, events);
            }
            assertThat(made.get()).isEqualTo(LEASES);
            read(last, 2 * LEASES - events.size(), events);
        }

        assertThat(events)
                .extracting(event -> Long.parseLong(event.path("projectsequence").asString()))
                .isEqualTo(LongStream.rangeClosed(1, events.size()).boxed().toList());
        assertThat(events).extracting(event -> event.path("id").asString()).doesNotHaveDuplicates();
        assertThat(product.verify()).isEmpty();
        assertThat(pages(product.as("demo"))).isEqualTo(events);

        anotherProjectHearsNothingOfIt();
    }

    private void anotherProjectHearsNothingOfIt() throws Exception {
        Client other = product.as("other");
        assertThat(pages(other)).isEmpty();
        JsonNode waited = other.get(FEED + "?wait=PT1S").expect(200);
        assertThat(waited.path("events")).isEmpty();
        String lease =
                create(other, product.now().plus(Duration.ofDays(900)))
                        .expect(201)
                        .path("id")
                        .asString();
        List<JsonNode> events = new ArrayList<>();
        read(other, "0", 2, events);
        assertThat(events)
                .extracting(event -> event.path("subject").asString())
                .containsOnly(lease);
    }

    /** Reads as {@code curl -N} would; returns a browser's Last-Event-ID. */
    private static String read(String last, int count, List<JsonNode> events) throws Exception {
        return read(product.as("demo"), last, count, events);
    }

    private static String read(Client client, String last, int count, List<JsonNode> events)
            throws Exception {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + product.port() + FEED))
                        .header("Authorization", client.authorization())
                        .header("Accept", "text/event-stream")
                        .header("Last-Event-ID", last)
                        .build();
        try (InputStream body = HTTP.send(request, BodyHandlers.ofInputStream()).body();
                Scanner lines = new Scanner(body, StandardCharsets.UTF_8)) {
            String id = last;
            int left = count;
            while (left > 0) {
                String line = lines.nextLine();
                if (line.startsWith("id:")) {
                    id = line.substring(3);
                } else if (line.startsWith("data:")) {
                    events.add(JSON.readTree(line.substring(5)));
                    left--;
                }
            }
            return id;
        } catch (IOException closed) {
            throw new AssertionError(events.size() + " events arrived", closed);
        }
    }

    private static List<JsonNode> pages(Client client) {
        List<JsonNode> events = new ArrayList<>();
        long after = 0;
        while (true) {
            JsonNode page = client.get(FEED + "?limit=300&after=" + after).expect(200);
            if (page.path("events").isEmpty()) {
                return events;
            }
            page.path("events").forEach(events::add);
            after = page.path("next").asLong();
        }
    }

    private static int make() {
        Client demo = product.as("demo");
        Instant start = product.now().plus(Duration.ofDays(30));
        for (int i = 0; i < LEASES; i++) {
            create(demo, start.plus(Duration.ofHours(i))).expect(201);
        }
        return LEASES;
    }

    private static Client.Answer create(Client client, Instant start) {
        return client.post(
                "/api/leases",
                DemoProject.hostRequest(
                        "listed",
                        start,
                        start.plus(Duration.ofMinutes(50)),
                        DemoProject.named("compute-1")));
    }
}
