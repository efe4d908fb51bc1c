package org.leasehold.publishing.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.leasehold.publishing.kafka.KafkaFixture.header;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.leasehold.publishing.PublicationOwnership;
import org.leasehold.publishing.Publisher;
import org.leasehold.readmodel.event.EventFeed;
import org.leasehold.readmodel.event.EventFeed.Batch;
import org.springframework.dao.DataAccessException;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/** The guarantees for consumers of the topic of all events when any process dies. */
@Timeout(180)
class PublisherTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private static KafkaFixture world;
    private String topic;

    @BeforeAll
    static void start() {
        world = new KafkaFixture();
    }

    @AfterAll
    static void stop() {
        world.close();
    }

    @BeforeEach
    void begin() {
        topic = world.begin();
    }

    @Test
    void every_event_is_published_once_and_in_order() throws InterruptedException {
        world.live("lease-", 60, 100);
        Publisher publisher = world.publisher("a", topic);

        publisher.start();
        world.awaitPublished();
        world.live("later-", 10, 3);
        world.awaitPublished();
        publisher.stop(TIMEOUT);

        assertThat(complete()).hasSize(6032).doesNotHaveDuplicates();
        assertThat(publisher.isFailing()).isFalse();
    }

    @Test
    void an_event_is_a_cloud_event_in_binary_mode() throws InterruptedException {
        world.live("lease-", 1, 2);
        world.publisher("a", topic).publish();

        List<ConsumerRecord<String, String>> records = world.read(topic);
        ConsumerRecord<String, String> first =
                records.stream()
                        .filter(event -> header(event, "ce_position").equals("1"))
                        .findFirst()
                        .orElseThrow();
        ConsumerRecord<String, String> resource =
                records.stream()
                        .filter(event -> header(event, "ce_position").equals("3"))
                        .findFirst()
                        .orElseThrow();

        assertThat(first.key()).isEqualTo("lease-1");
        assertThat(first.value()).isEqualTo("{\"projectId\":\"project-1\"}");
        Map<String, String> headers = new TreeMap<>();
        first.headers().forEach(each -> headers.put(each.key(), header(first, each.key())));
        Map<String, Object> stored =
                world.database
                        .jdbc()
                        .queryForMap("SELECT event_id::text FROM domain_event WHERE position = 1");
        assertThat(headers)
                .containsEntry("ce_id", String.valueOf(stored.get("event_id")))
                .containsEntry("ce_specversion", "1.0")
                .containsEntry("ce_source", "test")
                .containsEntry("ce_type", "org.leasehold.LeaseRequested")
                .containsEntry("ce_subject", "lease-1")
                .containsEntry("content-type", "application/json")
                .containsEntry("ce_project", "project-1")
                .containsEntry("ce_projectsequence", "1")
                .containsEntry("ce_streamsequence", "0")
                .containsEntry("ce_dataversion", "1")
                .containsEntry("ce_userid", "ada")
                .containsEntry("ce_requestid", "req-1")
                .containsKeys("ce_time", "ce_recordedtime")
                .doesNotContainKey("ce_causationid");
        assertThat(resource.key()).isEqualTo("resource:7");
        assertThat(header(resource, "ce_project")).isEqualTo("-");
        assertThat(header(resource, "ce_source")).isEqualTo("test?epoch=2");
    }

    /** All events are repeated under the same ids. */
    @Test
    void a_crash_between_acknowledgement_and_saved_offset_loses_nothing()
            throws InterruptedException {
        world.live("lease-", 20, 5);
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
            assertThatThrownBy(() -> world.publisher("a", topic).publish())
                    .isInstanceOf(DataAccessException.class)
                    .hasMessageContaining("killed");
        } finally {
            world.database.jdbc().execute("DROP FUNCTION die CASCADE");
        }
        assertThat(world.read(topic)).hasSize(101);
        assertThat(world.published()).isZero();
        world.keepTheOwnersTime();
        assertThat(world.publisher("b", topic).publish()).isEmpty();

        world.letTheOwnersTimePass();
        assertThat(world.publisher("b", topic).publish()).hasValue(101);

        assertThat(complete()).hasSize(202);
    }

    @Test
    void one_of_two_nodes_publishes_and_the_other_takes_over() throws InterruptedException {
        Publisher a = world.publisher("a", topic);
        Publisher b = world.publisher("b", topic);
        a.start();
        KafkaFixture.await(() -> world.owner().startsWith("a "), TIMEOUT);
        b.start();
        for (int i = 0; i < 5; i++) {
            world.live("lease-" + i + "-", 10, 3);
            world.awaitPublished();
        }
        assertThat(world.owner()).startsWith("a ");

        a.stop(TIMEOUT);
        world.live("after-", 10, 3);
        world.awaitPublished();
        assertThat(world.owner()).startsWith("b ");
        b.stop(TIMEOUT);

        assertThat(world.owner()).isEmpty();
        assertThat(complete()).hasSize(6 * 31).doesNotHaveDuplicates();
    }

    /** The publisher has read a batch, and stops until another one has long continued. */
    @Test
    void an_outdated_publisher_may_repeat_events_but_not_move_the_offset_back()
            throws InterruptedException {
        world.live("lease-", 10, 5);
        Publisher successor = world.publisher("b", topic);
        EventFeed frozen =
                question -> {
                    Batch batch = world.feed().next(question);
                    world.letTheOwnersTimePass();
                    publish(successor, 51);
                    world.live("later-", 10, 2);
                    publish(successor, 72);
                    return batch;
                };
        Publisher zombie = world.publisher("a", frozen, topic, Map.of());

        assertThat(zombie.publish()).isEmpty();

        assertThat(world.published()).isEqualTo(72);
        assertThat(zombie.publish()).isEmpty();
        assertThat(world.owner()).startsWith("b ");
        assertThat(complete()).hasSize(72 + 51);
    }

    private static void publish(Publisher publisher, long expected) {
        try {
            assertThat(publisher.publish()).isEqualTo(OptionalLong.of(expected));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void an_expired_owner_cannot_renew_or_save_the_offset() {
        PublicationOwnership a = world.ownership("a");
        PublicationOwnership b = world.ownership("a");
        assertThat(a.acquire()).hasValue(0);
        assertThat(b.acquire()).isEmpty();
        assertThat(a.saveOffset(5)).isTrue();
        world.letTheOwnersTimePass();
        assertThat(b.acquire()).hasValue(5);
        assertThat(b.saveOffset(9)).isTrue();

        assertThat(a.renew()).isFalse();
        assertThat(a.saveOffset(7)).isFalse();
        a.release();
        assertThat(b.renew()).isTrue();
        assertThat(a.acquire()).isEmpty();
        assertThat(world.published()).isEqualTo(9);
    }

    @Test
    void events_wait_while_kafka_is_unavailable_and_are_published_later()
            throws InterruptedException {
        Publisher publisher = world.publisher("a", topic);
        publisher.start();
        world.live("before-", 20, 5);
        world.awaitPublished();

        var broker = world.kafka.getCluster().brokers().get(0);
        broker.shutdown();
        broker.awaitShutdown();
        world.live("meanwhile-", 500, 20);
        KafkaFixture.await(publisher::isFailing, Duration.ofSeconds(90));
        assertThat(world.published()).isEqualTo(101);
        long stopping = System.nanoTime();
        publisher.stop(Duration.ofSeconds(3));
        assertThat(Duration.ofNanos(System.nanoTime() - stopping))
                .isLessThan(Duration.ofSeconds(8));
        publisher.start();
        broker.startup();

        world.awaitPublished();
        KafkaFixture.await(() -> !publisher.isFailing(), TIMEOUT);
        publisher.stop(TIMEOUT);
        assertThat(complete()).hasSizeGreaterThanOrEqualTo(101 + 10_001);
    }

    @Test
    void a_restart_continues_without_loss_or_duplicates() throws InterruptedException {
        for (int start = 1; start <= 4; start++) {
            world.live("lease-" + start + "-", 30, 4);
            Publisher publisher = world.publisher("a", topic);
            publisher.start();
            if (start % 2 == 0) {
                world.awaitPublished();
            }
            publisher.stop(TIMEOUT);
        }

        assertThat(complete()).hasSize(4 * 121).doesNotHaveDuplicates();
    }

    /**
     * Later events must not be sent: a consumer that counts would find a loss. Earlier events are
     * not repeated forever.
     */
    @Test
    void an_event_that_cannot_be_sent_stops_all_later_events() throws InterruptedException {
        world.live("lease-", 3, 2);
        world.database.append(
                "Lease", "lease-1", "LeaseRenamed", "{\"name\": \"%s\"}".formatted(large()), "{}");
        world.live("later-", 3, 2);

        Publisher narrow =
                world.publisher("a", world.feed(), topic, Map.of("max.request.size", "5000"));
        narrow.start();
        KafkaFixture.await(() -> world.published() == 7, TIMEOUT);
        assertThat(narrow.isFailing()).isTrue();
        int published = world.read(topic).size();
        Thread.sleep(Duration.ofSeconds(3));
        assertThat(world.read(topic))
                .hasSize(published)
                .extracting(event -> Long.parseLong(header(event, "ce_position")))
                .contains(7L)
                .allMatch(position -> position < 8);
        assertThat(narrow.isFailing()).isTrue();
        narrow.stop(TIMEOUT);

        assertThat(world.publisher("b", topic).publish()).hasValue(15);
        complete();
    }

    private static String large() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; text.length() < 20_000; i++) {
            text.append(Integer.toString(i * 7919, 36));
        }
        return text.toString();
    }

    private List<String> complete() {
        return world.complete(topic);
    }
}
