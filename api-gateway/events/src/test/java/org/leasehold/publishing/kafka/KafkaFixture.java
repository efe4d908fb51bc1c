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
import org.leasehold.history.Epochs;
import org.leasehold.history.Epochs.Epoch;
import org.leasehold.publishing.DocumentsFixture;
import org.leasehold.publishing.EventFeedFixture;
import org.leasehold.publishing.PublicationOwnership;
import org.leasehold.publishing.Publisher;
import org.leasehold.query.projection.EventDatabase;
import org.leasehold.readmodel.event.EventFeed;
import org.leasehold.readmodel.operation.ProjectionOffsets;
import org.leasehold.topic.CompletenessCheck;
import org.leasehold.topic.TopicRecord;
import org.leasehold.wire.event.EventDocuments;
import org.springframework.kafka.test.EmbeddedKafkaKraftBroker;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.function.BooleanSupplier;

/** A real PostgreSQL, a real Kafka, and the production feed. */
final class KafkaFixture implements AutoCloseable {

    static final int PARTITIONS = 4;

    private final EventFeedFixture readSide;
    final String brokers;
    final EventDatabase database;
    final EmbeddedKafkaKraftBroker kafka = new EmbeddedKafkaKraftBroker(1, PARTITIONS);

    KafkaFixture() {
        this(KafkaConfiguration.EVENTS);
    }

    /**
     * @param publication the publication whose offset is read
     */
    KafkaFixture(String publication) {
        readSide = new EventFeedFixture(publication);
        database = readSide.database();
        // A single broker cannot replicate its transactions.
        kafka.brokerProperty("transaction.state.log.replication.factor", "1");
        kafka.brokerProperty("transaction.state.log.min.isr", "1");
        kafka.afterPropertiesSet();
        brokers = kafka.getBrokersAsString();
    }

    /**
     * Uses an existing Kafka.
     *
     * @param publication the publication whose offset is read
     */
    KafkaFixture(String publication, String brokers) {
        readSide = new EventFeedFixture(publication);
        database = readSide.database();
        this.brokers = brokers;
    }

    /** Deletes all events, and creates a topic. */
    String begin() {
        return begin(Map.of());
    }

    /** Deletes all events, and creates a topic with some properties. */
    String begin(Map<String, String> properties) {
        readSide.begin();
        return topic(properties);
    }

    /** Creates another topic. */
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

    /** Updates the feed with the appended events. */
    void follow() {
        readSide.follow();
    }

    ProjectionOffsets projections() {
        return readSide.projections();
    }

    /** Appends events of leases of three projects, as many for each lease, and of one resource. */
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

    /** Appends an observation of use on a resource of a lease. */
    void seeUse() {
        String stream = UUID.randomUUID() + "/7";
        database.append("Use", stream, "UseObserved", "{\"projectId\": \"p1\"}", "{}");
        readSide.follow();
    }

    EventFeed feed() {
        return readSide.feed();
    }

    PublicationOwnership ownership(String node) {
        return readSide.ownership(node);
    }

    Publisher publisher(String node, String topic) {
        return publisher(node, feed(), topic, Map.of());
    }

    Publisher publisher(String node, EventFeed feed, String topic, Map<String, String> properties) {
        KafkaSettings settings = settings(topic, "", "", properties);
        return new Publisher(
                ownership(node),
                feed,
                readSide.projections(),
                KafkaConfiguration.ALL_EVENTS,
                () -> KafkaConnection.ofEvents(settings, new EventRecordMapper(topic, DOCUMENTS)));
    }

    /** Returns settings with these topic names; an empty name means no topic. */
    KafkaSettings settings(
            String events, String leases, String usage, Map<String, String> properties) {
        return new KafkaSettings(brokers, events, leases, usage, Duration.ofHours(1), properties);
    }

    /** Documents in which the second epoch begins with the third event. */
    static final EventDocuments DOCUMENTS =
            DocumentsFixture.events(
                    new Epochs(List.of(Epochs.FIRST.current(), new Epoch(2, 2, 2, Instant.EPOCH))));

    /** Expires the ownership, as if the owner had stopped for ten seconds. */
    void letTheOwnersTimePass() {
        readSide.letTheOwnersTimePass();
    }

    /** Keeps the ownership, however slow this machine is. */
    void keepTheOwnersTime() {
        readSide.keepTheOwnersTime();
    }

    /** Returns the number of records in a topic. */
    long sent(String topic) {
        try (KafkaConsumer<String, String> consumer = consumer()) {
            return consumer.endOffsets(partitions(consumer, topic)).values().stream()
                    .mapToLong(Long::longValue)
                    .sum();
        }
    }

    /** Returns the offset of the publication. */
    long published() {
        return readSide.published();
    }

    void awaitPublished() {
        readSide.awaitPublished();
    }

    static void await(BooleanSupplier condition, Duration longest) {
        EventFeedFixture.await(condition, longest);
    }

    /** Returns the owner; empty for none. */
    String owner() {
        return readSide.owner();
    }

    /** Returns all records of a topic; those of a partition are in order. */
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
     * Checks that a topic has every stored event without errors. Returns the ids of all records.
     */
    List<String> complete(String topic) {
        List<ConsumerRecord<String, String>> records = read(topic);
        CompletenessCheck census = new CompletenessCheck();
        records.forEach(event -> census.countRecord(TopicRecord.of(event)));
        assertThat(census.report().wrong()).isEmpty();
        List<String> ids = records.stream().map(event -> header(event, "ce_id")).toList();
        // Sets, because there may be very many.
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
