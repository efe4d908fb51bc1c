package org.leasehold.topic;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.kafka.test.EmbeddedKafkaKraftBroker;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Future;

/** Tests the command with a real Kafka. */
@Timeout(120)
class TopicVerifierTest {

    private static final EmbeddedKafkaKraftBroker KAFKA = new EmbeddedKafkaKraftBroker(1, 1);

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private String topic = "";

    @BeforeAll
    static void start() {
        KAFKA.afterPropertiesSet();
    }

    @AfterAll
    static void stop() {
        KAFKA.destroy();
    }

    @BeforeEach
    void begin() {
        topic = "events-" + UUID.randomUUID();
        KAFKA.addTopics(new NewTopic(topic, 3, (short) 1));
        // Creators of a topic get the result before other clients see the topic.
        try (KafkaProducer<String, String> producer = producer()) {
            assertThat(producer.partitionsFor(topic)).hasSize(3);
        }
    }

    @Test
    void a_complete_topic_passes_the_verification() {
        try (KafkaProducer<String, String> producer = producer()) {
            for (int i = 0; i < 300; i++) {
                send(producer, event(i));
            }
            send(producer, event(299));
        }

        assertThat(run("--topic=" + topic)).as(text(err)).isZero();
        assertThat(text(out))
                .isEqualTo(
                        """
                        %s: 300 events of 1 projects and 10 leases and resources, up to position \
                        300; 1 repeats
                        no event of a project is missing, and all events are in order
                        """
                                .formatted(topic));
    }

    @Test
    void an_empty_topic_passes_the_verification() {
        assertThat(run("--topic=" + topic)).as(text(err)).isZero();
        assertThat(text(out)).contains("0 events of 0 projects");
    }

    @Test
    void a_lost_event_fails_the_verification() {
        try (KafkaProducer<String, String> producer = producer()) {
            for (int i = 0; i < 30; i++) {
                if (i != 17) {
                    send(producer, event(i));
                }
            }
        }

        assertThat(run("--topic=" + topic)).isOne();
        assertThat(text(out))
                .contains("event 2 of lease-7 comes where 1 is next")
                .contains("WRONG: project p: 18 missing")
                .doesNotContain("in order");
    }

    /** Without the numbers, the topic looks correct. */
    @Test
    void the_numbers_file_reveals_events_lost_at_the_end(@TempDir Path folder) throws IOException {
        try (KafkaProducer<String, String> producer = producer()) {
            for (int i = 0; i < 30; i++) {
                send(producer, event(i));
            }
        }
        Path all = numbers(folder, 30, "{\"project_id\": \"p\", \"number\": 30}");
        Path more =
                numbers(
                        folder,
                        39,
                        """
                        {"project_id": "p", "number": 32}, {"number": 7, "project_id": "q"}\
                        """);

        assertThat(run("--topic=" + topic)).as(text(err)).isZero();
        assertThat(text(out)).doesNotContain("projects had at position");
        assertThat(run("--topic=" + topic, "--numbers=" + all)).as(text(err)).isZero();
        assertThat(text(out))
                .endsWith("the topic has all events that 1 projects had at position 30\n");
        out.reset();
        assertThat(run("--topic=" + topic, "--numbers=" + more)).as(text(err)).isOne();
        assertThat(text(out))
                .startsWith(
                        """
                        WRONG: project p: 31 to 32 missing
                        WRONG: project q: 1 to 7 missing
                        """)
                .doesNotContain("in order", "projects had at position");
    }

    private static Path numbers(Path folder, long position, String projects) throws IOException {
        return Files.writeString(
                folder.resolve("numbers-" + position),
                "{\"position\": %s, \"more\": [{}], \"projects\": [%s]}"
                        .formatted(position, projects));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    ``                                        | it is no object
                    []                                        | it is no object
                    {"status": 401, "title": "Unauthorized"}  | position or projects is missing
                    {"position": 1}                           | position or projects is missing
                    {"projects": []}                          | position or projects is missing
                    {"position": -1, "projects": []}          | position is less than 0: -1
                    {"position": "1", "projects": []}         | position is no whole number
                    {"position": 1, "projects": {}}           | projects is no list
                    {"position": 1, "projects": ["a"]}        | a project is no object
                    {"position": 1, "projects": [{"number": 1}]}     | project_id or number is missing
                    {"position": 1, "projects": [{"project_id": "a"}]} | project_id or number is missing
                    {"position": 1, "projects": [{"project_id": 1}]} | project_id is no text
                    {"position": 1, "projects": [{"number": 0}]}     | number is less than 1: 0
                    {"position": 1, "projects": [{"number": 1.5}]}   | number is no whole number
                    {"position": 1, "projects": [{"number": 9999999999999999999}]} | out of range
                    {"position": 1, "projects": [{"number": 1, "project_id": "a"}, {"number": 1, "project_id": "a"}]} | project a is there twice
                    {"position": 1, "projects": [{"number": 1, "project_id": "a"} | end-of-input
                    {"position": 1, "projects": []} {}        | something follows it
                    """)
    void an_invalid_numbers_file_is_rejected(String answer, String why, @TempDir Path folder)
            throws IOException {
        Path file = Files.writeString(folder.resolve("numbers"), answer);

        assertThat(run("--topic=" + topic, "--numbers=" + file)).isEqualTo(2);
        assertThat(text(err))
                .startsWith("--numbers: " + file + " is no response of GET /api/events/numbers: ")
                .contains(why);
        assertThat(text(out)).isEmpty();
    }

    @Test
    void an_invalid_record_fails_the_verification() {
        try (KafkaProducer<String, String> producer = producer()) {
            ProducerRecord<String, String> odd = event(0);
            odd.headers()
                    .remove("ce_projectsequence")
                    .add("ce_projectsequence", "x".getBytes(UTF_8));
            send(producer, odd);
            send(producer, new ProducerRecord<>(topic, odd.partition(), "lease-1", "{}"));
            send(producer, new ProducerRecord<>(topic, "{}"));
        }

        assertThat(run("--topic=" + topic)).isOne();
        assertThat(text(out))
                .contains("ce_projectsequence is no number: x")
                .contains("ce_id is missing")
                .contains("it has no key");
    }

    @Test
    void a_missing_topic_is_an_error_and_is_not_created() {
        assertThat(run("--topic=nobodys")).isEqualTo(2);
        assertThat(run("--topic=nobodys")).isEqualTo(2);
        assertThat(text(err)).contains("cannot read nobodys");
    }

    @Test
    void invalid_options_are_rejected(@TempDir Path folder) throws IOException {
        Path properties =
                Files.writeString(folder.resolve("consumer"), "security.protocol=NONSENSE");

        assertThat(run("--properties=" + properties)).isEqualTo(2);
        assertThat(run("--properties=" + folder.resolve("nothing"))).isEqualTo(2);
        assertThat(run("--numbers=" + folder.resolve("nothing"))).isEqualTo(2);
        assertThat(run("--nonsense")).isEqualTo(2);
        assertThat(run("--topic=")).isEqualTo(2);
        assertThat(TopicVerifier.run(List.of(), stream(out), stream(err))).isEqualTo(2);
        assertThat(text(err))
                .contains("security.protocol")
                .contains("--properties: cannot read")
                .contains("--numbers: cannot read " + folder.resolve("nothing"))
                .contains("Unknown option: '--nonsense'")
                .contains("--topic is empty")
                .contains("Missing required option: '--bootstrap-servers=HOST:PORT[,...]'")
                .contains("Exit status:");
        assertThat(text(out)).isEmpty();
    }

    private int run(String... words) {
        List<String> all = new ArrayList<>(List.of(words));
        all.add("--bootstrap-servers=" + KAFKA.getBrokersAsString());
        return TopicVerifier.run(all, stream(out), stream(err));
    }

    /** Returns an event of one of ten leases of one project, in turn. */
    private ProducerRecord<String, String> event(int i) {
        ProducerRecord<String, String> event =
                new ProducerRecord<>(topic, i % 10 % 3, "lease-" + i % 10, "{}");
        Map.of(
                        "ce_id",
                        new UUID(i, 1).toString(),
                        "ce_project",
                        "p",
                        "ce_projectsequence",
                        String.valueOf(i + 1),
                        "ce_streamsequence",
                        String.valueOf(i / 10),
                        "ce_position",
                        String.valueOf(i + 1))
                .forEach((name, value) -> event.headers().add(name, value.getBytes(UTF_8)));
        return event;
    }

    private static KafkaProducer<String, String> producer() {
        return new KafkaProducer<>(
                Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, KAFKA.getBrokersAsString()),
                new StringSerializer(),
                new StringSerializer());
    }

    /** Sends an event; closing the producer waits for it. */
    private static void send(
            KafkaProducer<String, String> producer, ProducerRecord<String, String> event) {
        Future<RecordMetadata> _ = producer.send(event);
    }

    private static PrintStream stream(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, UTF_8);
    }

    private static String text(ByteArrayOutputStream bytes) {
        return bytes.toString(UTF_8);
    }
}
