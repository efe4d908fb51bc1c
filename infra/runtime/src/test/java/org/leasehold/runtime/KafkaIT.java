package org.leasehold.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.toMap;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.leasehold.topic.TopicVerifier;

import tools.jackson.databind.JsonNode;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Tests that Kafka gets the events of the administrators' feed, as described. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class KafkaIT extends KafkaProductFixture {

    /** Runs first: only requests have happened so far. */
    @Test
    @Order(1)
    @Timeout(180)
    void each_published_event_equals_the_feed_and_matches_the_schema() throws Exception {
        Client admin = product.as("admin");
        for (int i = 0; i < LEASES; i++) {
            create(product.now().plus(Duration.ofDays(30 + i))).expect(201);
        }
        String feed = admin.get("/api/events?limit=1000").text();
        while (feed.split("\"type\":\"org.leasehold.ReservationGranted\"", -1).length <= LEASES) {
            // The feed lags by some milliseconds.
            Thread.sleep(100);
            feed = admin.get("/api/events?limit=1000").text();
        }
        JsonNode events = JSON.readTree(feed).path("events");

        List<ConsumerRecord<String, String>> published = new ArrayList<>();
        while (published.size() < events.size()) {
            Thread.sleep(100);
            published = read(TOPIC);
        }

        assertThat(published)
                .extracting(record -> header(record, "ce_id"))
                .containsExactlyInAnyOrderElementsOf(
                        events.valueStream().map(event -> event.path("id").asString()).toList());
        JsonNode described = admin.get("/asyncapi.json").expect(200);
        for (ConsumerRecord<String, String> record : published) {
            int event = feed.indexOf("\"id\":\"" + header(record, "ce_id") + "\"");
            int data = feed.indexOf("\"data\":", event) + "\"data\":".length();
            assertThat(feed.substring(data)).startsWith(record.value());
            assertThat(complaints(described, record)).isEmpty();
        }
        awaitPublished("kafka-events");
    }

    @Test
    @Timeout(180)
    void the_topic_verifier_finds_every_event_that_the_engine_reports(@TempDir Path answers)
            throws IOException {
        create(product.now().plus(Duration.ofDays(80))).expect(201);
        Client.Answer numbers = product.as("admin").get("/api/events/numbers");
        JsonNode reported = numbers.expect(200);
        Path file = Files.writeString(answers.resolve("numbers.json"), numbers.text());
        ByteArrayOutputStream out = new ByteArrayOutputStream();

        int outcome =
                TopicVerifier.run(
                        List.of(
                                "--bootstrap-servers=" + KAFKA.getBrokersAsString(),
                                "--numbers=" + file),
                        new PrintStream(out, true, UTF_8),
                        new PrintStream(out, true, UTF_8));

        assertThat(outcome).as(out.toString(UTF_8)).isZero();
        // The inventory, and the one project that has leases here.
        assertThat(out.toString(UTF_8))
                .endsWith(
                        "the topic has all events that 2 projects had at position %s%n"
                                .formatted(reported.path("position").asLong()));
    }

    @Test
    @Timeout(180)
    void each_published_lease_equals_the_api_and_matches_the_schema() throws Exception {
        Client admin = product.as("admin");
        for (int i = 0; i < 2; i++) {
            create(product.now().plus(Duration.ofDays(60 + i))).expect(201);
        }
        String gone =
                create(product.now().plus(Duration.ofDays(90))).expect(201).path("id").asString();
        product.as("demo").delete("/api/leases/" + gone).expect(204);
        Map<String, JsonNode> expected = leases(admin);
        assertThat(expected).hasSizeGreaterThanOrEqualTo(2).doesNotContainKey(gone);

        Map<String, ConsumerRecord<String, String>> last = Map.of();
        while (!values(last).equals(expected) || !last.containsKey(gone)) {
            Thread.sleep(100);
            last =
                    read(LEASES_TOPIC).stream()
                            .collect(
                                    toMap(
                                            ConsumerRecord::key,
                                            Function.identity(),
                                            (_, later) -> later));
            expected = leases(admin);
        }

        assertThat(last.get(gone).value()).isNull();
        JsonNode described = admin.get("/asyncapi.json").expect(200);
        for (ConsumerRecord<String, String> record : last.values()) {
            assertThat(complaints(described, record)).isEmpty();
        }
    }

    @Test
    @Timeout(180)
    void published_usage_and_lifecycle_events_match_the_schema() throws Exception {
        Client admin = product.as("admin");
        Instant start = product.now().plus(Duration.ofHours(1));
        String lease = create(start).expect(201).path("id").asString();
        product.clock().set(start);

        // Before the cloud gave the host, the lease had lost time.
        List<ConsumerRecord<String, String>> usage = List.of();
        while (usage.stream().noneMatch(record -> record.key().equals(lease))) {
            Thread.sleep(100);
            usage = read(USAGE_TOPIC);
        }

        JsonNode described = admin.get("/asyncapi.json").expect(200);
        for (ConsumerRecord<String, String> record : usage) {
            assertThat(complaints(described, record)).isEmpty();
        }
        assertLifecycleEventsMatch(lease, described);
    }

    /** Also checks all other events so far. */
    private static void assertLifecycleEventsMatch(String lease, JsonNode described)
            throws Exception {
        List<ConsumerRecord<String, String>> events = List.of();
        while (events.stream().noneMatch(record -> isUseOf(lease, record))) {
            Thread.sleep(100);
            events = read(TOPIC);
        }
        product.as("demo").delete("/api/leases/" + lease).expect(204);
        while (!types(events, lease).contains("LeaseDeleted")) {
            Thread.sleep(100);
            events = read(TOPIC);
        }

        assertThat(types(events, lease))
                .contains(
                        "LeaseStarting",
                        "ReservationActivated",
                        "LeaseActivated",
                        "LeaseEnding",
                        "ReservationReleased",
                        "LeaseEnded");
        List<ConsumerRecord<String, String>> all = new ArrayList<>(events);
        awaitPublished("kafka-leases", "kafka-usage", "kafka-usage-readings");
        all.addAll(read(LEASES_TOPIC));
        all.addAll(read(USAGE_TOPIC));
        for (ConsumerRecord<String, String> record : all) {
            assertThat(complaints(described, record)).as(record.toString()).isEmpty();
        }
    }

    /** Returns true for an observed use, which exists only while the lease has its resources. */
    private static boolean isUseOf(String lease, ConsumerRecord<String, String> record) {
        return header(record, "ce_type").equals("org.leasehold.UseObserved")
                && record.value().contains(lease);
    }

    private static List<String> types(List<ConsumerRecord<String, String>> events, String lease) {
        return events.stream()
                .filter(record -> lease.equals(record.key()))
                .map(record -> header(record, "ce_type").substring("org.leasehold.".length()))
                .toList();
    }

    /** Returns the API's leases by id. */
    private static Map<String, JsonNode> leases(Client admin) {
        return admin.get("/api/leases?limit=1000")
                .expect(200)
                .path("leases")
                .valueStream()
                .map(lease -> lease.path("id").asString())
                .collect(
                        toMap(
                                Function.identity(),
                                id -> admin.get("/api/leases/" + id).expect(200)));
    }
}
