package org.leasehold.publishing.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.leasehold.publishing.kafka.KafkaFixture.header;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.leasehold.publishing.DocumentsFixture;
import org.leasehold.publishing.Publisher;
import org.leasehold.readmodel.event.EventFeed;
import org.leasehold.readmodel.event.EventFeed.Batch;
import org.leasehold.vocabulary.LeaseId;
import org.springframework.dao.DataAccessException;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;

/** The guarantees for consumers of the topic of leases when any process dies. */
@Timeout(180)
class LeasesTopicTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private static KafkaFixture world;
    private String topic;

    @BeforeAll
    static void start() {
        world = new KafkaFixture(KafkaConfiguration.LEASES);
    }

    @AfterAll
    static void stop() {
        world.close();
    }

    @BeforeEach
    void begin() {
        topic = world.begin(Map.of("cleanup.policy", "compact"));
    }

    private static Publisher publisher(String node, EventFeed feed, String topic) {
        KafkaSettings settings = world.settings("", topic, "", Map.of());
        LeaseRecordMapper records =
                new LeaseRecordMapper(
                        topic,
                        KafkaFixture.DOCUMENTS,
                        new FakeLeases(world.database.client()),
                        DocumentsFixture.operatorLeases());
        return new Publisher(
                world.ownership(node),
                feed,
                world.projections(),
                KafkaConfiguration.LEASE_EVENTS,
                () -> KafkaConnection.ofLeases(settings, records));
    }

    private Publisher publisher(String node) {
        return publisher(node, world.feed(), topic);
    }

    private static String lease(int number) {
        return new UUID(7, number).toString();
    }

    private static void happens(int lease, String... types) {
        for (String type : types) {
            world.database.append("Lease", lease(lease), type, "{\"projectId\": \"p1\"}", "{}");
        }
        world.follow();
    }

    @Test
    void each_lease_is_published_once_in_the_latest_state() throws InterruptedException {
        for (int i = 0; i < 250; i++) {
            world.database.append(
                    "Lease", lease(i), "LeaseRequested", "{\"projectId\": \"p1\"}", "{}");
        }
        happens(3, "ReservationGranted", "LeaseStarting");
        world.database.append("Resource", "7", "ResourceEnabled", "{\"resourceId\": 7}", "{}");
        world.follow();
        publisher("a").publish();

        List<ConsumerRecord<String, String>> records = world.read(topic);
        assertThat(records).hasSize(250);
        assertThat(kept(records))
                .containsEntry(lease(2), FakeLeases.document(lease(2), 1, "LeaseRequested"))
                .containsEntry(lease(3), FakeLeases.document(lease(3), 3, "LeaseStarting"))
                .isEqualTo(stored());
    }

    @Test
    void a_record_is_a_cloud_event_in_binary_mode() throws InterruptedException {
        happens(1, "LeaseRequested", "LeaseStarting");
        publisher("a").publish();

        ConsumerRecord<String, String> record = world.read(topic).getFirst();
        Map<String, String> headers = new TreeMap<>();
        record.headers().forEach(each -> headers.put(each.key(), header(record, each.key())));
        String event =
                world.database
                        .client()
                        .sql("SELECT event_id::text FROM domain_event WHERE position = 2")
                        .query(String.class)
                        .single();
        assertThat(record.key()).isEqualTo(lease(1));
        assertThat(headers)
                .containsEntry("ce_id", event + "/lease")
                .containsEntry("ce_specversion", "1.0")
                .containsEntry("ce_source", "test")
                .containsEntry("ce_type", "org.leasehold.Lease")
                .containsEntry("ce_subject", lease(1))
                .containsEntry("ce_project", "p1")
                .containsEntry("ce_position", "2")
                .containsEntry("ce_streamsequence", "1")
                .containsEntry("ce_dataversion", "1")
                .containsEntry("content-type", "application/json")
                .containsKey("ce_time");
    }

    @Test
    void a_deleted_lease_leaves_only_a_tombstone_record() throws InterruptedException {
        happens(1, "LeaseRequested");
        happens(2, "LeaseRequested");
        publisher("a").publish();
        happens(1, "LeaseDeleted");
        world.letTheOwnersTimePass();
        publisher("b").publish();
        // A consumer that saw the first half also sees the second.
        happens(3, "LeaseRequested", "LeaseDeleted");
        world.letTheOwnersTimePass();
        publisher("c").publish();

        List<ConsumerRecord<String, String>> records = world.read(topic);
        assertThat(records)
                .filteredOn(each -> each.value() == null)
                .extracting(ConsumerRecord::key)
                .containsExactlyInAnyOrder(lease(1), lease(3));
        assertThat(kept(records)).containsOnlyKeys(lease(2)).isEqualTo(stored());
    }

    @Test
    void an_observed_use_publishes_no_lease_record() throws InterruptedException {
        happens(1, "LeaseRequested");
        world.seeUse();
        world.seeUse();
        Publisher publisher = publisher("a");
        assertThat(publisher.publish()).hasValue(3);
        world.seeUse();
        assertThat(publisher.publish()).hasValue(4);

        assertThat(kept(world.read(topic))).containsOnlyKeys(lease(1)).isEqualTo(stored());
    }

    @Test
    void a_refused_lease_is_not_published() throws InterruptedException {
        happens(1, "LeaseRefused");

        assertThat(publisher("a").publish()).hasValue(1);

        assertThat(world.read(topic)).isEmpty();
    }

    @Test
    void concurrent_changes_of_leases_reach_the_topic() throws InterruptedException {
        Random random = new Random(1);
        Publisher publisher = publisher("a");
        publisher.start();
        for (int round = 0; round < 30; round++) {
            for (int i = 0; i < 5; i++) {
                happens(
                        random.nextInt(10),
                        random.nextInt(4) == 0 ? "LeaseDeleted" : "LeaseStarting");
            }
        }
        world.awaitPublished();
        publisher.stop(TIMEOUT);

        assertThat(publisher.isFailing()).isFalse();
        assertThat(kept(world.read(topic))).isEqualTo(stored());
    }

    @Test
    void a_crash_between_acknowledgement_and_saved_offset_loses_nothing()
            throws InterruptedException {
        happens(1, "LeaseRequested", "LeaseStarting");
        happens(2, "LeaseRequested", "LeaseDeleted");
        world.database
                .jdbc()
                .execute(
                        """
                        CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS
                            'BEGIN RAISE EXCEPTION ''killed''; END';
                        CREATE TRIGGER die BEFORE UPDATE ON publication FOR EACH ROW
                            WHEN (old.position <> new.position) EXECUTE FUNCTION die();
                        """);
        try {
            assertThatThrownBy(() -> publisher("a").publish())
                    .isInstanceOf(DataAccessException.class)
                    .hasMessageContaining("killed");
        } finally {
            world.database.jdbc().execute("DROP FUNCTION die CASCADE");
        }
        assertThat(world.read(topic)).hasSize(2);
        happens(1, "LeaseActivated");

        world.letTheOwnersTimePass();
        assertThat(publisher("b").publish()).hasValue(5);

        List<ConsumerRecord<String, String>> records = world.read(topic);
        assertThat(records).hasSize(4);
        assertThat(kept(records))
                .containsOnly(
                        Map.entry(lease(1), FakeLeases.document(lease(1), 3, "LeaseActivated")))
                .isEqualTo(stored());
    }

    /**
     * Checks the difference to the topic of events, where a zombie would only repeat events. Here,
     * its pending records would be the last ones, and all that a compaction leaves.
     */
    @Test
    void kafka_rejects_the_records_of_an_outdated_publisher() throws InterruptedException {
        happens(1, "LeaseRequested");
        Publisher successor = publisher("b");
        EventFeed frozen =
                question -> {
                    Batch batch = world.feed().next(question);
                    world.letTheOwnersTimePass();
                    publish(successor, 1);
                    happens(1, "LeaseDeleted");
                    publish(successor, 2);
                    return batch;
                };
        Publisher zombie = publisher("a", frozen, topic);

        assertThatThrownBy(zombie::publish).isInstanceOf(KafkaException.class);

        List<ConsumerRecord<String, String>> records = world.read(topic);
        assertThat(records)
                .extracting(each -> header(each, "ce_streamsequence"))
                .containsExactly("0", "1");
        assertThat(records.getLast().value()).isNull();
        // The other producer is not affected.
        happens(2, "LeaseRequested");
        publish(successor, 3);
        assertThat(kept(world.read(topic))).isEqualTo(stored());
    }

    private static void publish(Publisher publisher, long expected) {
        try {
            assertThat(publisher.publish()).isEqualTo(OptionalLong.of(expected));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void a_reset_offset_publishes_every_lease_to_a_new_topic() throws InterruptedException {
        for (int i = 0; i < 50; i++) {
            happens(i, "LeaseRequested");
        }
        happens(7, "LeaseDeleted");
        publisher("a").publish();
        world.database.jdbc().update("UPDATE publication SET position = 0, owner = NULL");
        String another = world.topic(Map.of("cleanup.policy", "compact"));

        publisher("b", world.feed(), another).publish();

        assertThat(kept(world.read(another))).hasSize(49).isEqualTo(stored());
    }

    /** Returns, for each key, the record with the greatest number, as a consumer stores it. */
    private static Map<String, String> kept(List<ConsumerRecord<String, String>> records) {
        Map<String, ConsumerRecord<String, String>> greatest = new HashMap<>();
        for (ConsumerRecord<String, String> each : records) {
            greatest.merge(
                    each.key(), each, (one, other) -> number(one) < number(other) ? other : one);
        }
        Map<String, String> kept = new HashMap<>();
        greatest.forEach(
                (key, each) -> {
                    @Nullable String value = each.value();
                    if (value != null) {
                        kept.put(key, value);
                    }
                });
        return kept;
    }

    private static long number(ConsumerRecord<String, String> record) {
        return Long.parseLong(header(record, "ce_streamsequence"));
    }

    private static Map<String, String> stored() {
        FakeLeases leases = new FakeLeases(world.database.client());
        Map<String, String> stored = new HashMap<>();
        for (String id :
                world.database
                        .client()
                        .sql("SELECT DISTINCT stream_id FROM domain_event WHERE stream_type = ?")
                        .param("Lease")
                        .query(String.class)
                        .list()) {
            leases.find(LeaseId.of(id), null, Long.MAX_VALUE)
                    .ifPresent(lease -> stored.put(id, FakeLeases.document(lease)));
        }
        return stored;
    }
}
