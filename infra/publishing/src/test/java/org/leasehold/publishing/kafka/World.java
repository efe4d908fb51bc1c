package org.leasehold.publishing.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.leasehold.publishing.EventForm;
import org.leasehold.publishing.Place;
import org.leasehold.publishing.Publisher;
import org.leasehold.publishing.ReadSide;
import org.leasehold.query.Feed;
import org.leasehold.query.Feed.Entry;
import org.leasehold.query.Projections;
import org.leasehold.query.projection.EventDatabase;
import org.leasehold.topic.Census;
import org.leasehold.topic.Told;
import org.springframework.kafka.test.EmbeddedKafkaKraftBroker;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.function.BooleanSupplier;

/** A real PostgreSQL, a real Kafka, and the feed that the product has. */
final class World implements AutoCloseable {

    static final int PARTITIONS = 4;

    private final ReadSide readSide;
    final String brokers;
    final EventDatabase database;
    final EmbeddedKafkaKraftBroker kafka = new EmbeddedKafkaKraftBroker(1, PARTITIONS);

    World() {
        this(KafkaConfiguration.EVENTS);
    }

    /**
     * @param publication whose place is looked at
     */
    World(String publication) {
        readSide = new ReadSide(publication);
        database = readSide.database();
        // One broker keeps its transactions by itself.
        kafka.brokerProperty("transaction.state.log.replication.factor", "1");
        kafka.brokerProperty("transaction.state.log.min.isr", "1");
        kafka.afterPropertiesSet();
        brokers = kafka.getBrokersAsString();
    }

    /**
     * With a Kafka of somebody else's.
     *
     * @param publication whose place is looked at
     */
    World(String publication, String brokers) {
        readSide = new ReadSide(publication);
        database = readSide.database();
        this.brokers = brokers;
    }

    /** Nothing has happened, and a new topic. */
    String begin() {
        return begin(Map.of());
    }

    /** The same, with a topic that has some properties. */
    String begin(Map<String, String> properties) {
        readSide.begin();
        return topic(properties);
    }

    /** Another topic. */
    String topic(Map<String, String> properties) {
        String topic = "topic-" + UUID.randomUUID();
        try (Admin admin =
                Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, brokers))) {
            admin.createTopics(
                            List.of(new NewTopic(topic, PARTITIONS, (short) 1).configs(properties)))
                    .all()
                    .get();
        } catch (ExecutionException | InterruptedException e) {
            throw new AssertionError(e);
        }
        return topic;
    }

    /** Has the feed know what was appended. */
    void follow() {
        readSide.follow();
    }

    Projections projections() {
        return readSide.projections();
    }

    /** So many leases of three projects, with so many events each, and one resource. */
    void live(String prefix, int leases, int events) {
        database.jdbc()
                .update(
                        """
                        INSERT INTO domain_event (event_id, stream_type, stream_id, sequence,
                            event_type, event_version, payload, metadata, decided_at)
                        SELECT gen_random_uuid(), 'Lease', ? || lease, n,
                            CASE n WHEN 0 THEN 'LeaseRequested' ELSE 'LeaseStarting' END, 1,
                            jsonb_build_object('projectId', 'project-' || lease % 3),
                            '{"user": "ada", "requestId": "req-1"}', now()
                        FROM generate_series(0, ? - 1) n, generate_series(1, ?) lease
                        ORDER BY n, lease
                        """,
                        prefix, events, leases);
        database.append("Resource", "7", "ResourceEnabled", "{\"resourceId\": 7}", "{}");
        readSide.follow();
    }

    /** On a resource that a lease of a project has, something was seen to run. */
    void seeUse() {
        String stream = UUID.randomUUID() + "/7";
        database.append("Use", stream, "UseObserved", "{\"projectId\": \"p1\"}", "{}");
        readSide.follow();
    }

    Feed feed() {
        return readSide.feed();
    }

    Place place(String node) {
        return readSide.place(node);
    }

    Publisher publisher(String node, String topic) {
        return publisher(node, feed(), topic, Map.of());
    }

    Publisher publisher(String node, Feed feed, String topic, Map<String, String> properties) {
        KafkaSettings settings = settings(topic, "", "", properties);
        return new Publisher(
                place(node),
                feed,
                readSide.projections(),
                KafkaConfiguration.EVERYTHING,
                () -> KafkaLine.ofEvents(settings, new EventRecords(topic, FORM)));
    }

    /** Where topics have these names; none for those without one. */
    KafkaSettings settings(
            String events, String leases, String usage, Map<String, String> properties) {
        return new KafkaSettings(brokers, events, leases, usage, Duration.ofHours(1), properties);
    }

    static final EventForm FORM =
            new EventForm() {
                @Override
                public String source() {
                    return "test";
                }

                @Override
                public byte[] data(Entry entry) {
                    return entry.data().getBytes(UTF_8);
                }
            };

    /** As if whoever had it had stood still for ten seconds. */
    void letTheOwnersTimePass() {
        readSide.letTheOwnersTimePass();
    }

    /** However slow this machine is. */
    void keepTheOwnersTime() {
        readSide.keepTheOwnersTime();
    }

    /** How many records a topic has. */
    long sent(String topic) {
        try (KafkaConsumer<String, String> consumer = consumer()) {
            return consumer.endOffsets(partitions(consumer, topic)).values().stream()
                    .mapToLong(Long::longValue)
                    .sum();
        }
    }

    /** How far the publication is. */
    long published() {
        return readSide.published();
    }

    void awaitPublished() {
        readSide.awaitPublished();
    }

    static void await(BooleanSupplier condition, Duration longest) {
        ReadSide.await(condition, longest);
    }

    /** Nothing for nobody. */
    String owner() {
        return readSide.owner();
    }

    /** Everything in a topic; what is in one partition in its order. */
    List<ConsumerRecord<String, String>> read(String topic) {
        List<ConsumerRecord<String, String>> read = new ArrayList<>();
        try (KafkaConsumer<String, String> consumer = consumer()) {
            List<TopicPartition> partitions = partitions(consumer, topic);
            consumer.assign(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            while (ends.entrySet().stream()
                    .anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
                consumer.poll(Duration.ofMillis(100)).forEach(read::add);
            }
        }
        read.sort(
                Comparator.comparingInt(ConsumerRecord<String, String>::partition)
                        .thenComparingLong(ConsumerRecord::offset));
        return read;
    }

    /**
     * Every stored event is in a topic, and nothing is wrong with it. Returns the ids of all that
     * was told.
     */
    List<String> complete(String topic) {
        List<ConsumerRecord<String, String>> told = read(topic);
        Census census = new Census();
        told.forEach(event -> census.take(Told.of(event)));
        assertThat(census.report().wrong()).isEmpty();
        List<String> ids = told.stream().map(event -> header(event, "ce_id")).toList();
        // Sets, as there may be very many.
        assertThat(Set.copyOf(ids))
                .isEqualTo(
                        Set.copyOf(
                                database.client()
                                        .sql("SELECT event_id::text FROM domain_event")
                                        .query(String.class)
                                        .list()));
        return ids;
    }

    private KafkaConsumer<String, String> consumer() {
        return new KafkaConsumer<>(
                Map.of(
                        ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                        brokers,
                        ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                        "earliest"),
                new StringDeserializer(),
                new StringDeserializer());
    }

    private static List<TopicPartition> partitions(
            KafkaConsumer<String, String> consumer, String topic) {
        return consumer.partitionsFor(topic).stream()
                .map(each -> new TopicPartition(topic, each.partition()))
                .toList();
    }

    static String header(ConsumerRecord<?, ?> event, String name) {
        return new String(event.headers().lastHeader(name).value(), UTF_8);
    }

    @Override
    public void close() {
        kafka.destroy();
        readSide.close();
    }
}
