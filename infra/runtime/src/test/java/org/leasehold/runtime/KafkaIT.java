package org.leasehold.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.toMap;

import com.networknt.schema.Error;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;

import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.leasehold.topic.TopicVerifier;
import org.springframework.kafka.test.EmbeddedKafkaKraftBroker;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;

/** Tests that Kafka gets the events of the administrators' feed, as described. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class KafkaIT {

    private static final String TOPIC = "leasehold.events";
    private static final String LEASES_TOPIC = "leasehold.leases";
    private static final String USAGE_TOPIC = "leasehold.usage";
    private static final int LEASES = 5;
    private static final JsonMapper JSON = JsonMapper.builder().build();

    @TempDir private static Path folder;
    private static final EmbeddedKafkaKraftBroker KAFKA = broker();
    private static Product product;

    private static EmbeddedKafkaKraftBroker broker() {
        EmbeddedKafkaKraftBroker broker = new EmbeddedKafkaKraftBroker(1, 3, TOPIC, USAGE_TOPIC);
        // One broker stores its transactions without replicas.
        broker.brokerProperty("transaction.state.log.replication.factor", "1");
        broker.brokerProperty("transaction.state.log.min.isr", "1");
        return broker;
    }

    @BeforeAll
    static void start() {
        KAFKA.afterPropertiesSet();
        KAFKA.addTopics(
                new NewTopic(LEASES_TOPIC, 3, (short) 1)
                        .configs(Map.of("cleanup.policy", "compact")));
        product =
                Product.start(
                        folder,
                        "leasehold.kafka.bootstrap-servers=" + KAFKA.getBrokersAsString(),
                        "leasehold.saga.sampling=1s");
    }

    @AfterAll
    static void stop() {
        product.close();
        KAFKA.destroy();
    }

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

    /** Waits for each publication; it stores the offset after the last acknowledgement. */
    private static void awaitPublished(String... publications) throws Exception {
        Client admin = product.as("admin");
        for (String publication : publications) {
            String gauge = "leasehold_publication_%s{publication=\"" + publication + "\"} 0.0";
            String metrics = metrics(admin);
            while (!metrics.contains(gauge.formatted("lag"))) {
                Thread.sleep(100);
                metrics = metrics(admin);
            }
            assertThat(metrics).contains(gauge.formatted("failing"));
        }
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

    private static Map<String, JsonNode> values(Map<String, ConsumerRecord<String, String>> last) {
        return last.values().stream()
                .filter(record -> record.value() != null)
                .collect(toMap(ConsumerRecord::key, record -> JSON.readTree(record.value())));
    }

    private static String metrics(Client client) throws Exception {
        HttpRequest request =
                HttpRequest.newBuilder(
                                URI.create(
                                        "http://127.0.0.1:"
                                                + product.port()
                                                + "/actuator/prometheus"))
                        .header("Authorization", client.authorization())
                        .build();
        try (HttpClient http = HttpClient.newHttpClient()) {
            return http.send(request, BodyHandlers.ofString()).body();
        }
    }

    private static List<Error> complaints(
            JsonNode described, ConsumerRecord<String, String> record) {
        String message =
                (record.value() == null ? "No" : "")
                        + header(record, "ce_type").substring("org.leasehold.".length())
                        + ".v"
                        + header(record, "ce_dataversion");
        JsonNode schemas = described.path("components").path("messages").path(message);
        assertThat(schemas.isMissingNode()).as(message).isFalse();
        ObjectNode headers = JSON.createObjectNode();
        record.headers().forEach(each -> headers.put(each.key(), header(record, each.key())));
        List<Error> complaints = new ArrayList<>();
        complaints.addAll(complaints(described, schemas.path("headers"), headers));
        complaints.addAll(
                complaints(
                        described,
                        schemas.path("payload"),
                        JSON.readTree(Objects.requireNonNullElse(record.value(), "null"))));
        return complaints;
    }

    private static List<Error> complaints(JsonNode described, JsonNode schema, JsonNode instance) {
        ObjectNode whole = JSON.createObjectNode();
        whole.set("components", described.path("components"));
        whole.set("allOf", JSON.createArrayNode().add(schema));
        return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_7)
                .getSchema(whole)
                .validate(
                        instance,
                        context ->
                                context.executionConfig(
                                        config -> config.formatAssertionsEnabled(true)));
    }

    private static List<ConsumerRecord<String, String>> read(String topic) {
        Map<String, Object> properties =
                Map.of(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, KAFKA.getBrokersAsString());
        List<ConsumerRecord<String, String>> read = new ArrayList<>();
        try (KafkaConsumer<String, String> consumer =
                new KafkaConsumer<>(
                        properties, new StringDeserializer(), new StringDeserializer())) {
            List<TopicPartition> partitions =
                    consumer.partitionsFor(topic).stream()
                            .map(each -> new TopicPartition(topic, each.partition()))
                            .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            while (ends.entrySet().stream()
                    .anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
                consumer.poll(Duration.ofMillis(100)).forEach(read::add);
            }
        }
        return read;
    }

    private static String header(ConsumerRecord<?, ?> record, String name) {
        return new String(record.headers().lastHeader(name).value(), UTF_8);
    }

    private static Client.Answer create(Instant start) {
        Map<String, Object> parameters =
                new TreeMap<>(DemoProject.hosts(1, 1, DemoProject.named("compute-1")));
        parameters.remove("resource_type");
        return product.as("demo")
                .post(
                        "/api/leases",
                        Map.of(
                                "name",
                                "published",
                                "start",
                                start.toString(),
                                "end",
                                start.plus(Duration.ofMinutes(50)).toString(),
                                "reservations",
                                List.of(
                                        Map.of(
                                                "kind",
                                                "physical:host",
                                                "parameters",
                                                parameters))));
    }
}
