package org.leasehold.resource.openstack.compute;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.ShutdownSignalException;

import org.jspecify.annotations.Nullable;
import org.leasehold.resource.ResourcePlugin.Listening;
import org.leasehold.resource.openstack.CloudSettings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import tools.jackson.core.JacksonException;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;

import javax.net.ssl.SSLContext;

/**
 * Nova's versioned notifications, which it sends to RabbitMQ. Each subscriber has its own queue,
 * which ends with the connection. So no other subscriber loses a notification, and a stopped engine
 * leaves no queue. After each connection a subscriber is called, because it may have missed some.
 */
public final class NovaNotificationListener {

    private static final Logger LOG = LoggerFactory.getLogger(NovaNotificationListener.class);

    /** Nova's default exchange and routing key. */
    private static final String EXCHANGE = "nova";

    private static final String ROUTING_KEY = "versioned_notifications.info";

    private static final String TLS_SCHEME = "amqps";

    /** The largest message in bytes; Nova's largest notifications have some ten thousand. */
    private static final int MAX_MESSAGE_BYTES = 1 << 20;

    /** The most unacknowledged notifications, so that they cannot fill the memory. */
    private static final int PREFETCH_COUNT = 64;

    /** The longest queue. RabbitMQ drops older messages; Nova uses its memory, too. */
    private static final Map<String, Object> QUEUE_ARGUMENTS = Map.of("x-max-length", 10_000);

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(5);

    private final ConnectionFactory connectionFactory;
    private final Duration reconnectDelay;

    /**
     * Opens no connection yet.
     *
     * @param url {@code amqp} or {@code amqps}, with user and password
     * @throws IllegalArgumentException if it is not; does not repeat it
     */
    public NovaNotificationListener(URI url) {
        this(url, Duration.ofSeconds(10));
    }

    /**
     * Returns the listener at the address in the settings of the cloud; null if they have none.
     *
     * @throws IllegalArgumentException as the constructor
     */
    public static @Nullable NovaNotificationListener of(CloudSettings settings) {
        URI url = settings.notifications();
        return url == null ? null : new NovaNotificationListener(url);
    }

    /**
     * @param pause before the next attempt, after a connection was lost or failed
     */
    NovaNotificationListener(URI url, Duration pause) {
        this.connectionFactory = createConnectionFactory(url);
        this.reconnectDelay = pause;
    }

    private static ConnectionFactory createConnectionFactory(URI url) {
        ConnectionFactory factory = new ConnectionFactory();
        try {
            if (TLS_SCHEME.equals(url.getScheme())) {
                // By default it would accept any certificate.
                factory.useSslProtocol(SSLContext.getDefault());
                factory.enableHostnameVerification();
            }
            factory.setUri(url);
        } catch (IllegalArgumentException | URISyntaxException | GeneralSecurityException unfit) {
            // Their messages contain the password.
            throw new IllegalArgumentException(
                    "the setting notifications.url is RabbitMQ's address, such as"
                            + " amqp://user:password@cloud:5672/");
        }
        if (factory.getVirtualHost().isEmpty()) {
            // Nova interprets such an address like this.
            factory.setVirtualHost(ConnectionFactory.DEFAULT_VHOST);
        }
        factory.setConnectionTimeout(Math.toIntExact(CONNECT_TIMEOUT.toMillis()));
        factory.setMaxInboundMessageBodySize(MAX_MESSAGE_BYTES);
        // It makes no first connection, and stops at a queue whose exchange does not exist yet: a
        // restarted RabbitMQ has none until Nova reconnects.
        factory.setAutomaticRecoveryEnabled(false);
        factory.setThreadFactory(threadFactory());
        return factory;
    }

    private static ThreadFactory threadFactory() {
        return Thread.ofVirtual().name("notifications").factory();
    }

    /**
     * Subscribes to changes of Nova's services, and to reconnections.
     *
     * @param news returns at once
     */
    public Listening listenToServices(Runnable news) {
        return listen(new Subscriber(NovaNotification::isServiceChange, news));
    }

    /**
     * Subscribes to servers that are created, unshelved or deleted, and to reconnections.
     *
     * @param news returns at once
     */
    public Listening listenToServers(Runnable news) {
        return listen(new Subscriber(NovaNotification::isServerChange, news));
    }

    /**
     * A subscriber.
     *
     * @param subject which notifications it subscribes to
     */
    private record Subscriber(Predicate<NovaNotification> subject, Runnable news) {}

    private Listening listen(Subscriber subscriber) {
        Thread thread = threadFactory().newThread(() -> listenUntilClosed(subscriber));
        thread.start();
        return () -> {
            thread.interrupt();
            try {
                if (!thread.join(STOP_TIMEOUT)) {
                    LOG.warn("RabbitMQ does not say goodbye");
                }
            } catch (InterruptedException hurry) {
                Thread.currentThread().interrupt();
            }
        };
    }

    private void listenUntilClosed(Subscriber subscriber) {
        try {
            while (true) {
                listenOnce(subscriber);
                Thread.sleep(reconnectDelay);
            }
        } catch (InterruptedException closed) {
            LOG.debug("Nova's notifications are not listened to any more");
        }
    }

    private void listenOnce(Subscriber subscriber) throws InterruptedException {
        try (Connection connection = connectionFactory.newConnection("leasehold")) {
            CompletableFuture<Void> lost = new CompletableFuture<>();
            consume(connection.createChannel(), subscriber, lost);
            LOG.info("Nova's notifications are listened to");
            subscriber.news().run();
            lost.get();
        } catch (IOException
                | TimeoutException
                | ShutdownSignalException
                | ExecutionException failure) {
            LOG.atWarn()
                    .log(
                            "Nova's notifications are not heard: {}",
                            String.valueOf(
                                    Objects.requireNonNullElse(failure.getCause(), failure)));
        }
    }

    private static void consume(
            Channel channel, Subscriber subscriber, CompletableFuture<Void> lost)
            throws IOException {
        channel.addShutdownListener(lost::completeExceptionally);
        channel.basicQos(PREFETCH_COUNT);
        String queue = channel.queueDeclare("", false, true, true, QUEUE_ARGUMENTS).getQueue();
        channel.queueBind(queue, EXCHANGE, ROUTING_KEY);
        channel.basicConsume(
                queue,
                false,
                (_, delivery) -> {
                    handleMessage(delivery.getBody(), subscriber);
                    channel.basicAck(delivery.getEnvelope().getDeliveryTag(), false);
                },
                _ -> lost.completeExceptionally(new IOException("the queue is gone")));
    }

    private static void handleMessage(byte[] body, Subscriber subscriber) {
        try {
            if (subscriber.subject().test(NovaNotification.parse(body))) {
                subscriber.news().run();
            }
        } catch (JacksonException strange) {
            LOG.atWarn()
                    .addKeyValue("bytes", body.length)
                    .log("A notification is dropped that cannot be understood");
        }
    }
}
