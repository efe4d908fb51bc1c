package org.leasehold.publishing.notification;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ConfirmListener;
import com.rabbitmq.client.Connection;

import org.jspecify.annotations.Nullable;
import org.leasehold.publishing.Flight;
import org.leasehold.publishing.Line;
import org.leasehold.query.Feed.Entry;

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
final class RabbitLine implements Line, Flight {

    private static final int PERSISTENT = 2;

    /**
     * The timeout for each of the two possible notifications of an event. Together they are shorter
     * than the ownership of a publication, which is not renewed meanwhile.
     */
    private static final Duration LONGEST_BLOCK = Duration.ofSeconds(3);

    private static final Duration TO_CLOSE = Duration.ofMillis(500);

    private final Connection connection;
    private final Channel channel;
    private final String exchange;
    private final String key;
    private final Notices notices;
    private final Envelope envelope;

    /** The leases of unconfirmed notifications, by RabbitMQ's number of the notification. */
    private final TreeMap<Long, String> open = new TreeMap<>();

    private long bytes;
    private @Nullable Exception failure;

    /**
     * Uses a connection.
     *
     * @param key the routing key
     */
    RabbitLine(
            Connection connection, String exchange, String key, Notices notices, Envelope envelope)
            throws IOException {
        this.connection = connection;
        this.channel = connection.createChannel();
        this.exchange = exchange;
        this.key = key;
        this.notices = notices;
        this.envelope = envelope;
        channel.addConfirmListener(
                new ConfirmListener() {
                    @Override
                    public void handleAck(long number, boolean andAllBefore) {
                        confirmed(number, andAllBefore);
                    }

                    @Override
                    public void handleNack(long number, boolean andAllBefore) {
                        fail(new IOException("RabbitMQ refuses a notification"));
                    }
                });
        channel.addReturnListener(
                returned ->
                        fail(
                                new IOException(
                                        "no queue takes notifications: "
                                                + returned.getReplyText())));
        channel.addShutdownListener(this::fail);
        channel.confirmSelect();
    }

    @Override
    public synchronized Flight begin() {
        bytes = 0;
        return this;
    }

    @Override
    public void send(Entry event) throws InterruptedException {
        for (Notification notification : notices.of(event)) {
            byte[] body = envelope.of(event, notification);
            awaitTurn(event.stream());
            synchronized (this) {
                open.put(channel.getNextPublishSeqNo(), event.stream());
                bytes += body.length;
            }
            try {
                channel.basicPublish(
                        exchange, key, true, properties(event, notification.notice()), body);
            } catch (IOException e) {
                throw new UncheckedIOException("RabbitMQ does not take a notification", e);
            }
        }
    }

    private static BasicProperties properties(Entry event, Notice notice) {
        return new BasicProperties.Builder()
                .contentType("application/json")
                .contentEncoding("utf-8")
                .deliveryMode(PERSISTENT)
                .priority(0)
                .messageId(Envelope.id(event, notice).toString())
                .headers(Map.of())
                .build();
    }

    private synchronized void awaitTurn(String lease) throws InterruptedException {
        long end = System.nanoTime() + LONGEST_BLOCK.toNanos();
        requireNoFailure();
        while (open.containsValue(lease)) {
            long left = end - System.nanoTime();
            if (left <= 0) {
                throw new IllegalStateException(
                        "RabbitMQ has not confirmed a notification for "
                                + LONGEST_BLOCK.toSeconds()
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
        while (!open.isEmpty() && failure == null && left > 0) {
            TimeUnit.NANOSECONDS.timedWait(this, left);
            left = end - System.nanoTime();
        }
        requireNoFailure();
        return open.size();
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
        connection.abort(Math.toIntExact(TO_CLOSE.toMillis()));
    }

    private synchronized void confirmed(long number, boolean andAllBefore) {
        if (andAllBefore) {
            open.headMap(number, true).clear();
        } else {
            open.remove(number);
        }
        notifyAll();
    }

    /** Records only the first failure, which is the cause of the later ones. */
    private synchronized void fail(Exception reason) {
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
