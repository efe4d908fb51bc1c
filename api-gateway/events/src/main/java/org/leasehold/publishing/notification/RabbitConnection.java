package org.leasehold.publishing.notification;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ConfirmListener;
import com.rabbitmq.client.Connection;

import org.jspecify.annotations.Nullable;
import org.leasehold.publishing.BrokerConnection;
import org.leasehold.publishing.InFlightBatch;
import org.leasehold.readmodel.event.EventFeed.Entry;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * A connection to RabbitMQ. Each lease has one unconfirmed notification at a time, because RabbitMQ
 * may reject one and accept the next.
 */
final class RabbitConnection implements BrokerConnection, InFlightBatch {

    private static final int PERSISTENT = 2;

    /**
     * The timeout for each of the two possible notifications of an event. Together they are shorter
     * than the ownership of a publication, which is not renewed meanwhile.
     */
    private static final Duration SEND_TIMEOUT = Duration.ofSeconds(3);

    private static final Duration CLOSE_TIMEOUT = Duration.ofMillis(500);

    private final Connection connection;
    private final Channel channel;
    private final String exchange;
    private final String routingKey;
    private final NotificationMapper mapper;
    private final OsloEnvelope envelope;

    /** The leases of unconfirmed notifications, by RabbitMQ's number of the notification. */
    private final TreeMap<Long, String> unconfirmed = new TreeMap<>();

    private long bytes;
    private @Nullable Exception failure;

    /**
     * Uses a connection.
     *
     * @param key the routing key
     */
    RabbitConnection(
            Connection connection,
            String exchange,
            String key,
            NotificationMapper notices,
            OsloEnvelope envelope)
            throws IOException {
        this.connection = connection;
        this.channel = connection.createChannel();
        this.exchange = exchange;
        this.routingKey = key;
        this.mapper = notices;
        this.envelope = envelope;
        channel.addConfirmListener(
                new ConfirmListener() {
                    @Override
                    public void handleAck(long number, boolean andAllBefore) {
                        recordConfirmation(number, andAllBefore);
                    }

                    @Override
                    public void handleNack(long number, boolean andAllBefore) {
                        recordFailure(new IOException("RabbitMQ refuses a notification"));
                    }
                });
        channel.addReturnListener(
                returned ->
                        recordFailure(
                                new IOException(
                                        "no queue takes notifications: "
                                                + returned.getReplyText())));
        channel.addShutdownListener(this::recordFailure);
        channel.confirmSelect();
    }

    @Override
    public synchronized InFlightBatch begin() {
        bytes = 0;
        return this;
    }

    @Override
    public void send(Entry event) throws InterruptedException {
        for (Notification notification : mapper.toNotifications(event)) {
            byte[] body = envelope.wrap(event, notification);
            awaitConfirmation(event.stream());
            synchronized (this) {
                unconfirmed.put(channel.getNextPublishSeqNo(), event.stream());
                bytes += body.length;
            }
            try {
                channel.basicPublish(
                        exchange, routingKey, true, properties(event, notification.notice()), body);
            } catch (IOException e) {
                throw new UncheckedIOException("RabbitMQ does not take a notification", e);
            }
        }
    }

    private static BasicProperties properties(Entry event, NotificationType notice) {
        return new BasicProperties.Builder()
                .contentType("application/json")
                .contentEncoding("utf-8")
                .deliveryMode(PERSISTENT)
                .priority(0)
                .messageId(OsloEnvelope.id(event, notice).toString())
                .headers(Map.of())
                .build();
    }

    private synchronized void awaitConfirmation(String lease) throws InterruptedException {
        long end = System.nanoTime() + SEND_TIMEOUT.toNanos();
        requireNoFailure();
        while (unconfirmed.containsValue(lease)) {
            long left = end - System.nanoTime();
            if (left <= 0) {
                throw new IllegalStateException(
                        "RabbitMQ has not confirmed a notification for "
                                + SEND_TIMEOUT.toSeconds()
                                + " s");
            }
            TimeUnit.NANOSECONDS.timedWait(this, left);
            requireNoFailure();
        }
    }

    @Override
    public synchronized int await(Duration longest) throws InterruptedException {
        long end = System.nanoTime() + longest.toNanos();
        long left = end - System.nanoTime();
        while (!unconfirmed.isEmpty() && failure == null && left > 0) {
            TimeUnit.NANOSECONDS.timedWait(this, left);
            left = end - System.nanoTime();
        }
        requireNoFailure();
        return unconfirmed.size();
    }

    @Override
    public synchronized long bytes() {
        return bytes;
    }

    @Override
    public synchronized boolean isOpen() {
        return failure == null;
    }

    @Override
    public void close() {
        connection.abort(Math.toIntExact(CLOSE_TIMEOUT.toMillis()));
    }

    private synchronized void recordConfirmation(long number, boolean andAllBefore) {
        if (andAllBefore) {
            unconfirmed.headMap(number, true).clear();
        } else {
            unconfirmed.remove(number);
        }
        notifyAll();
    }

    /** Records only the first failure, which is the cause of the later ones. */
    private synchronized void recordFailure(Exception reason) {
        if (failure == null) {
            failure = reason;
        }
        notifyAll();
    }

    private void requireNoFailure() {
        if (failure != null) {
            throw new IllegalStateException("RabbitMQ does not take notifications", failure);
        }
    }
}
