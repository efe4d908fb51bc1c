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
import org.junit.jupiter.api.io.TempDir;
import org.springframework.kafka.test.EmbeddedKafkaKraftBroker;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** A product that publishes to a Kafka, and the records that consumers of Kafka read. */
abstract class KafkaProductFixture {

    static final String TOPIC = "leasehold.events";
    static final String LEASES_TOPIC = "leasehold.leases";
    static final String USAGE_TOPIC = "leasehold.usage";
    static final int LEASES = 5;
    static final JsonMapper JSON = JsonMapper.builder().build();

    @TempDir private static Path folder;
    static final EmbeddedKafkaKraftBroker KAFKA = broker();
    static Product product;

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

    /** Waits for each publication; it stores the offset after the last acknowledgement. */
    static void awaitPublished(String... publications) throws Exception {
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

    static Map<String, JsonNode> values(Map<String, ConsumerRecord<String, String>> last) {
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

    static List<Error> complaints(JsonNode described, ConsumerRecord<String, String> record) {
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

    static List<Error> complaints(JsonNode described, JsonNode schema, JsonNode instance) {
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

    static List<ConsumerRecord<String, String>> read(String topic) {
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

    static String header(ConsumerRecord<?, ?> record, String name) {
        return new String(record.headers().lastHeader(name).value(), UTF_8);
    }

    static Client.Answer create(Instant start) {
        return product.as("demo")
                .post(
                        "/api/leases",
                        DemoProject.hostRequest(
                                "published",
                                start,
                                start.plus(Duration.ofMinutes(50)),
                                DemoProject.named("compute-1")));
    }
}
