package org.leasehold.publishing.notification;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Address;
import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.ShutdownSignalException;

import org.leasehold.publishing.Line;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeoutException;

import javax.net.ssl.SSLContext;

/**
 * Connects to RabbitMQ. It creates the exchange and the queue as oslo.messaging does, so that no
 * notification is lost before a listener connects. It uses existing ones as they are.
 */
final class Rabbit {

    private static final Duration TO_ANSWER = Duration.ofSeconds(4);
    private static final Duration HEARTBEAT = Duration.ofSeconds(10);

    private final NotificationSettings settings;
    private final Notices notices;
    private final Envelope envelope;
    private final ConnectionFactory factory;

    Rabbit(NotificationSettings settings, Notices notices, Envelope envelope) {
        this.settings = settings;
        this.notices = notices;
        this.envelope = envelope;
        this.factory = factory(settings);
    }

    private static ConnectionFactory factory(NotificationSettings settings) {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setUsername(Objects.requireNonNull(settings.user()));
        factory.setPassword(Objects.requireNonNull(settings.password()));
        factory.setVirtualHost(settings.virtualHost());
        if (settings.tls()) {
            try {
                // Without this context, the library accepts any certificate.
                factory.useSslProtocol(SSLContext.getDefault());
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException("the JDK has no TLS", e);
            }
            factory.enableHostnameVerification();
        }
        int millis = Math.toIntExact(TO_ANSWER.toMillis());
        // The addresses are tried in turn, all within one timeout.
        factory.setConnectionTimeout(millis / addresses(settings).size());
        factory.setHandshakeTimeout(millis);
        factory.setChannelRpcTimeout(millis);
        factory.setRequestedHeartbeat(Math.toIntExact(HEARTBEAT.toSeconds()));
        // The publisher reconnects, and begins at the stored offset.
        factory.setAutomaticRecoveryEnabled(false);
        factory.setThreadFactory(Thread.ofVirtual().name("notifications").factory());
        return factory;
    }

    Line connect() {
        Connection connection = open();
        try {
            declare(connection);
            return new RabbitLine(
                    connection, settings.exchange(), settings.key(), notices, envelope);
        } catch (IOException | RuntimeException e) {
            connection.abort(Math.toIntExact(TO_ANSWER.toMillis()));
            throw e instanceof IOException io
                    ? new UncheckedIOException("RabbitMQ takes no notifications", io)
                    : (RuntimeException) e;
        }
    }

    private Connection open() {
        try {
            return factory.newConnection(addresses(settings), "leasehold: notifications");
        } catch (IOException e) {
            throw new UncheckedIOException("RabbitMQ cannot be reached", e);
        } catch (TimeoutException e) {
            throw new IllegalStateException("RabbitMQ does not answer", e);
        }
    }

    private static List<Address> addresses(NotificationSettings settings) {
        return List.of(Address.parseAddresses(Objects.requireNonNull(settings.hosts())));
    }

    private void declare(Connection connection) throws IOException {
        String exchange = settings.exchange();
        if (!isThere(connection, channel -> channel.exchangeDeclarePassive(exchange))) {
            on(
                    connection,
                    channel ->
                            channel.exchangeDeclare(
                                    exchange,
                                    BuiltinExchangeType.TOPIC,
                                    settings.durable(),
                                    false,
                                    Map.of()));
        }
        String queue = settings.key();
        if (!isThere(connection, channel -> channel.queueDeclarePassive(queue))) {
            on(
                    connection,
                    channel ->
                            channel.queueDeclare(
                                    queue, settings.durable(), false, false, Map.of()));
        }
        on(connection, channel -> channel.queueBind(queue, exchange, queue));
    }

    /** Checks existence on a separate channel, because a negative response closes the channel. */
    private static boolean isThere(Connection connection, Asking question) throws IOException {
        try {
            on(connection, question);
            return true;
        } catch (IOException e) {
            if (e.getCause() instanceof ShutdownSignalException closed
                    && closed.getReason() instanceof AMQP.Channel.Close reason
                    && reason.getReplyCode() == AMQP.NOT_FOUND) {
                return false;
            }
            throw e;
        }
    }

    private static void on(Connection connection, Asking question) throws IOException {
        Channel channel = connection.createChannel();
        try {
            Object _ = question.ask(channel);
        } finally {
            channel.abort();
        }
    }

    /** A request to RabbitMQ. */
    private interface Asking {

        Object ask(Channel channel) throws IOException;
    }
}
