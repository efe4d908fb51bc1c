package org.leasehold.publishing.notification;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.leasehold.publishing.EventFeedFixture.await;

import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.GetResponse;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.leasehold.publishing.DocumentsFixture;
import org.leasehold.publishing.EventFeedFixture;
import org.leasehold.publishing.Publisher;
import org.leasehold.readmodel.lease.LeaseStatus;
import org.leasehold.readmodel.lease.ScheduledEventView;
import org.springframework.dao.DataAccessException;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;

/** The guarantees for listeners, with a real PostgreSQL and a broker. */
@Timeout(180)
class NotificationsTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final JsonMapper JSON = JsonMapper.builder().build();

    /** The events of each lease here; not all of them cause notifications. */
    private static final List<String> LIFE =
            List.of(
                    "LeaseRequested",
                    "ReservationGranted",
                    "LeaseEndAnnounced",
                    "LeaseDelayed",
                    "LeaseDeleted");

    private static final List<String> NOTIFIED =
            List.of("lease.create", "lease.event.before_end_lease", "lease.delete");

    private static EventFeedFixture readSide;
    private final ScriptedLeases life = new ScriptedLeases();
    private RestartableAmqpBroker broker;

    @BeforeAll
    static void open() {
        readSide = new EventFeedFixture(NotificationConfiguration.NOTIFICATIONS);
    }

    @AfterAll
    static void close() {
        readSide.close();
    }

    @BeforeEach
    void begin() throws Exception {
        readSide.begin();
        // Queries of the lease use positions after these events.
        life.happens(
                "LeaseRequested",
                ScriptedLeases.lease(
                        LeaseStatus.ACTIVE,
                        ScheduledEventView.Status.DONE,
                        ScheduledEventView.Status.UNDONE,
                        ScheduledEventView.Status.UNDONE));
        readSide.database().jdbc().execute("ALTER TABLE domain_event ALTER position RESTART 100");
        broker = new RestartableAmqpBroker();
        broker.start();
    }

    @AfterEach
    void end() {
        broker.close();
    }

    @Test
    void notifications_are_sent_once_and_in_the_order_of_the_lease() throws Exception {
        live(50);
        Publisher publisher = publisher("a");
        publisher.start();
        readSide.awaitPublished();
        live(20);
        readSide.awaitPublished();
        publisher.stop(TIMEOUT);

        List<JsonNode> messages = messages();
        assertThat(messages).hasSize(70 * NOTIFIED.size());
        assertThat(ids(messages)).doesNotHaveDuplicates();
        assertThat(byRequest(messages).values()).hasSize(70).containsOnly(NOTIFIED);
        assertThat(publisher.isFailing()).isFalse();
    }

    @Test
    void a_notification_is_persistent_json_with_a_message_id() throws Exception {
        live(1);
        publisher("a").publish();

        GetResponse first = broker.take().getFirst();
        assertThat(first.getProps().getDeliveryMode()).isEqualTo(2);
        assertThat(first.getProps().getContentType()).isEqualTo("application/json");
        assertThat(first.getProps().getContentEncoding()).isEqualTo("utf-8");
        assertThat(first.getProps().getMessageId())
                .isEqualTo(message(first).path("message_id").asString());
        assertThat(first.getEnvelope().getExchange()).isEqualTo(RestartableAmqpBroker.EXCHANGE);
        assertThat(first.getEnvelope().getRoutingKey()).isEqualTo(RestartableAmqpBroker.QUEUE);
        broker.have(
                channel -> {
                    // RabbitMQ would reject another type, or one that is not durable.
                    channel.exchangeDeclare(
                            RestartableAmqpBroker.EXCHANGE, BuiltinExchangeType.TOPIC, true);
                    channel.queueDeclare(RestartableAmqpBroker.QUEUE, true, false, false, Map.of());
                });
    }

    @Test
    void an_existing_exchange_is_used_unchanged() throws Exception {
        broker.have(
                channel ->
                        channel.exchangeDeclare(
                                RestartableAmqpBroker.EXCHANGE, BuiltinExchangeType.TOPIC));
        live(2);

        publisher("a").publish();

        assertThat(messages()).hasSize(2 * NOTIFIED.size());
    }

    @Test
    void notifications_wait_while_the_broker_is_down_and_are_sent_later() throws Exception {
        Publisher publisher = publisher("a");
        publisher.start();
        live(3);
        readSide.awaitPublished();
        List<JsonNode> messages = new ArrayList<>(messages());
        broker.close();
        live(200);
        await(publisher::isFailing, TIMEOUT);

        broker.start();

        readSide.awaitPublished();
        await(() -> !publisher.isFailing(), TIMEOUT);
        publisher.stop(TIMEOUT);
        messages.addAll(messages());
        assertThat(byRequest(messages)).hasSize(203);
        assertThat(byRequest(messages).values()).allMatch(types -> types.containsAll(NOTIFIED));
    }

    /** RabbitMQ would accept it and drop it. */
    @Test
    void a_notification_without_a_queue_is_sent_again() throws Exception {
        Publisher publisher = publisher("a");
        publisher.start();
        live(1);
        readSide.awaitPublished();
        broker.have(channel -> channel.queueDelete(RestartableAmqpBroker.QUEUE));

        live(5);

        readSide.awaitPublished();
        publisher.stop(TIMEOUT);
        assertThat(byRequest(messages()).values()).hasSize(5).containsOnly(NOTIFIED);
    }

    @Test
    void repeated_notifications_are_identical() throws Exception {
        live(5);
        readSide.database()
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
            readSide.database().jdbc().execute("DROP FUNCTION die CASCADE");
        }
        List<JsonNode> before = messages();
        readSide.letTheOwnersTimePass();

        publisher("b").publish();

        assertThat(before).hasSize(5 * NOTIFIED.size());
        assertThat(messages()).isEqualTo(before);
    }

    @Test
    void a_new_publication_starts_at_the_end_of_the_event_log() throws Exception {
        live(3);
        readSide.database().jdbc().update("UPDATE publication SET position = -1");
        Publisher publisher = publisher("a");

        assertThat(publisher.publish()).hasValue(readSide.database().head());
        live(2);
        publisher.publish();

        assertThat(byRequest(messages()).values()).hasSize(2).containsOnly(NOTIFIED);
    }

    @Test
    void a_resource_event_causes_no_notification() throws Exception {
        readSide.database().append("Resource", "7", "ResourceEnabled", "{\"resourceId\": 7}", "{}");
        readSide.follow();

        assertThat(publisher("a").publish()).hasValue(readSide.database().head());
        assertThat(messages()).isEmpty();
    }

    /** Appends all events of some leases, interleaved; the request id is that of the lease. */
    private static void live(int leases) {
        List<UUID> ids = new ArrayList<>();
        for (int i = 0; i < leases; i++) {
            ids.add(UUID.randomUUID());
        }
        for (int step = 0; step < LIFE.size(); step++) {
            for (UUID id : ids) {
                readSide.database()
                        .append(
                                "Lease",
                                id.toString(),
                                LIFE.get(step),
                                "{\"projectId\": \"p1\"}",
                                "{\"user\": \"ada\", \"requestId\": \"%s\"}".formatted(id));
            }
        }
        readSide.follow();
    }

    private Publisher publisher(String node) {
        RabbitConnector rabbit =
                new RabbitConnector(
                        broker.settings(),
                        new NotificationMapper(life),
                        new OsloEnvelope("blazar.lease", DocumentsFixture.blazarLeases()));
        return new Publisher(
                readSide.ownership(node),
                readSide.feed(),
                readSide.projections(),
                NotificationConfiguration.LEASE_EVENTS,
                rabbit::connect);
    }

    private List<JsonNode> messages() throws Exception {
        return broker.take().stream().map(NotificationsTest::message).toList();
    }

    private static JsonNode message(GetResponse taken) {
        return JSON.readTree(JSON.readTree(taken.getBody()).path("oslo.message").stringValue());
    }

    private static List<String> ids(List<JsonNode> messages) {
        return messages.stream().map(each -> each.path("message_id").asString()).toList();
    }

    /** Returns types of notifications, in order. */
    private static Map<String, List<String>> byRequest(List<JsonNode> messages) {
        return messages.stream()
                .collect(
                        Collectors.groupingBy(
                                each -> each.path("_context_request_id").asString(),
                                Collectors.mapping(
                                        each -> each.path("event_type").asString(),
                                        Collectors.toList())));
    }
}
