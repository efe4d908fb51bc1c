package org.leasehold.resource.openstack.compute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.leasehold.resource.ResourcePlugin.Listening;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

class NovaNotificationListenerTest {

    private static final Duration PAUSE = Duration.ofMillis(100);

    private final Semaphore news = new Semaphore(0);
    private EmbeddedAmqpBroker broker;

    @BeforeEach
    void startBroker() throws Exception {
        broker = new EmbeddedAmqpBroker();
        broker.start();
    }

    @AfterEach
    void stopBroker() {
        broker.close();
    }

    @Test
    void a_service_notification_triggers_the_callback() throws Exception {
        try (NotifyingNova nova = new NotifyingNova();
                Listening _ = listen()) {
            awaitNews();

            nova.publishEvent("service.update");

            awaitNews();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"instance.create.end", "instance.unshelve.end", "instance.delete.end"})
    void the_end_of_a_server_action_triggers_the_callback_for_servers(String event)
            throws Exception {
        try (NotifyingNova nova = new NotifyingNova();
                Listening _ = listenToServers()) {
            awaitNews();

            nova.publishEvent(event);

            awaitNews();
        }
    }

    @Test
    void other_notifications_do_not_trigger_the_callback_for_servers() throws Exception {
        try (NotifyingNova nova = new NotifyingNova();
                Listening _ = listenToServers()) {
            awaitNews();

            nova.publishEvent("service.update");
            nova.publishEvent("instance.create.start");
            nova.publishEvent("instance.update");
            nova.publishEvent("instance.create.end");

            awaitNews();
            assertThat(news.availablePermits()).isZero();
        }
    }

    @Test
    void other_and_malformed_messages_do_not_trigger_the_callback() throws Exception {
        try (NotifyingNova nova = new NotifyingNova();
                Listening _ = listen()) {
            awaitNews();

            nova.publishEvent("instance.create.end");
            nova.says("nothing that could be understood");
            nova.publishEvent("service.update");

            awaitNews();
            assertThat(news.availablePermits()).isZero();
        }
    }

    @Test
    void each_of_1000_service_notifications_triggers_the_callback() throws Exception {
        try (NotifyingNova nova = new NotifyingNova();
                Listening _ = listen()) {
            awaitNews();

            for (int number = 0; number < 1_000; number++) {
                nova.publishEvent("service.update");
            }

            assertThat(news.tryAcquire(1_000, 30, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void a_service_notification_triggers_the_callback_of_every_listener() throws Exception {
        try (NotifyingNova nova = new NotifyingNova();
                Listening _ = listen();
                Listening _ = listen()) {
            awaitNews();
            awaitNews();

            nova.publishEvent("service.update");

            awaitNews();
            awaitNews();
        }
    }

    @Test
    void a_listener_connects_once_nova_creates_the_exchange() throws Exception {
        try (Listening _ = listen()) {
            assertThat(news.tryAcquire(1, TimeUnit.SECONDS)).isFalse();
            try (NotifyingNova nova = new NotifyingNova()) {
                awaitNews();

                nova.publishEvent("service.update");

                awaitNews();
            }
        }
    }

    @Test
    void a_listener_reconnects_and_triggers_the_callback_after_a_broker_outage() throws Exception {
        try (Listening _ = listen()) {
            try (NotifyingNova _ = new NotifyingNova()) {
                awaitNews();
            }
            broker.close();
            assertThat(news.tryAcquire(1, TimeUnit.SECONDS)).isFalse();
            broker.start();
            try (NotifyingNova nova = new NotifyingNova()) {
                awaitNews();

                nova.publishEvent("service.update");

                awaitNews();
            }
        }
    }

    @Test
    void a_closed_listener_stops_the_callbacks_and_leaves_no_queue() throws Exception {
        try (NotifyingNova nova = new NotifyingNova()) {
            Listening listening = listen();
            awaitNews();

            listening.close();
            listening.close();
            nova.publishEvent("service.update");

            assertThat(news.tryAcquire(1, TimeUnit.SECONDS)).isFalse();
            assertThat(nova.isHeard()).isFalse();
        }
    }

    @Test
    void a_listener_with_a_wrong_password_gets_no_notifications() throws Exception {
        try (NotifyingNova nova = new NotifyingNova();
                Listening _ =
                        new NovaNotificationListener(broker.url("a-guess"), PAUSE)
                                .listenToServices(news::release)) {
            nova.publishEvent("service.update");

            assertThat(news.tryAcquire(1, TimeUnit.SECONDS)).isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "rabbit://nova:secret@cloud:5672/",
                "amqp://nova:secret:secret@cloud:5672/",
                "amqp://nova:secret@cloud:5672/a/secret",
                "nova:secret@cloud"
            })
    void an_error_about_an_invalid_url_does_not_reveal_the_password(String url) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new NovaNotificationListener(URI.create(url)))
                .withMessageContaining("notifications.url")
                .withMessageNotContaining("secret")
                .withNoCause();
    }

    private Listening listen() {
        return new NovaNotificationListener(broker.url(), PAUSE).listenToServices(news::release);
    }

    private Listening listenToServers() {
        return new NovaNotificationListener(broker.url(), PAUSE).listenToServers(news::release);
    }

    private void awaitNews() throws InterruptedException {
        assertThat(news.tryAcquire(30, TimeUnit.SECONDS)).isTrue();
    }

    /** A publisher that creates the exchange as Nova does. */
    private final class NotifyingNova implements AutoCloseable {

        private static final String EXCHANGE = "nova";
        private static final String KEY = "versioned_notifications.info";

        private final Connection connection;
        private final Channel channel;

        NotifyingNova() throws Exception {
            ConnectionFactory factory = new ConnectionFactory();
            factory.setUri(broker.url());
            factory.setVirtualHost("/");
            connection = factory.newConnection();
            channel = connection.createChannel();
            channel.exchangeDeclare(EXCHANGE, BuiltinExchangeType.TOPIC);
        }

        void publishEvent(String eventType) throws IOException {
            says(
                    "{\"oslo.version\": \"2.0\", \"oslo.message\": \"{\\\"event_type\\\": \\\"%s\\\"}\"}"
                            .formatted(eventType));
        }

        void says(String body) throws IOException {
            channel.basicPublish(EXCHANGE, KEY, null, body.getBytes(UTF_8));
        }

        /** Returns whether any queue gets its messages; otherwise they are returned. */
        boolean isHeard() throws Exception {
            Semaphore back = new Semaphore(0);
            channel.addReturnListener(_ -> back.release());
            channel.basicPublish(EXCHANGE, KEY, true, null, "anybody?".getBytes(UTF_8));
            return !back.tryAcquire(10, TimeUnit.SECONDS);
        }

        @Override
        public void close() throws IOException {
            connection.close();
        }
    }
}
