package org.leasehold.publishing.notification;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Address;
import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.ShutdownSignalException;

import org.leasehold.publishing.BrokerConnection;

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
final class RabbitConnector {

    private static final Duration RESPONSE_TIMEOUT = Duration.ofSeconds(4);
    private static final Duration HEARTBEAT_INTERVAL = Duration.ofSeconds(10);

    private final NotificationSettings settings;
    private final NotificationMapper mapper;
    private final OsloEnvelope envelope;
    private final ConnectionFactory factory;

    RabbitConnector(
            NotificationSettings settings, NotificationMapper notices, OsloEnvelope envelope) {
        this.settings = settings;
        this.mapper = notices;
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
        int millis = Math.toIntExact(RESPONSE_TIMEOUT.toMillis());
        // The addresses are tried in turn, all within one timeout.
        factory.setConnectionTimeout(millis / addresses(settings).size());
        factory.setHandshakeTimeout(millis);
        factory.setChannelRpcTimeout(millis);
        factory.setRequestedHeartbeat(Math.toIntExact(HEARTBEAT_INTERVAL.toSeconds()));
        // The publisher reconnects, and begins at the stored offset.
        factory.setAutomaticRecoveryEnabled(false);
        factory.setThreadFactory(Thread.ofVirtual().name("notifications").factory());
        return factory;
    }

    BrokerConnection connect() {
        Connection connection = open();
        try {
            declare(connection);
            return new RabbitConnection(
                    connection, settings.exchange(), settings.key(), mapper, envelope);
        } catch (IOException | RuntimeException e) {
            connection.abort(Math.toIntExact(RESPONSE_TIMEOUT.toMillis()));
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
        if (!exists(connection, channel -> channel.exchangeDeclarePassive(exchange))) {
            runOnChannel(
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
        if (!exists(connection, channel -> channel.queueDeclarePassive(queue))) {
            runOnChannel(
                    connection,
                    channel ->
                            channel.queueDeclare(
                                    queue, settings.durable(), false, false, Map.of()));
        }
        runOnChannel(connection, channel -> channel.queueBind(queue, exchange, queue));
    }

    /** Checks existence on a separate channel, because a negative response closes the channel. */
    private static boolean exists(Connection connection, Asking question) throws IOException {
        try {
            runOnChannel(connection, question);
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

    private static void runOnChannel(Connection connection, Asking question) throws IOException {
        Channel channel = connection.createChannel();
        try {
            Object _ = question.execute(channel);
        } finally {
            channel.abort();
        }
    }

    /** A request to RabbitMQ. */
    private interface Asking {

        Object execute(Channel channel) throws IOException;
    }
}
