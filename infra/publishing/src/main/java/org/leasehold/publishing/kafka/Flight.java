package org.leasehold.publishing.kafka;

import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * What has been sent and not been acknowledged yet. After the first failure nothing of it leaves
 * any more: what follows would overtake what has failed.
 */
final class Flight implements Callback {

    private final Producer<byte[], byte[]> producer;
    private int open;
    private long bytes;
    private @Nullable Exception failure;

    Flight(Producer<byte[], byte[]> producer) {
        this.producer = producer;
    }

    void send(ProducerRecord<byte[], byte[]> event) {
        synchronized (this) {
            requireNoFailure();
            open++;
            bytes += event.value().length;
        }
        // Its failure is told to the callback.
        Future<RecordMetadata> _ = producer.send(event, this);
    }

    /** In the producer's own thread, before it sends anything else. */
    @Override
    public void onCompletion(@Nullable RecordMetadata sent, @Nullable Exception failed) {
        boolean first;
        synchronized (this) {
            open--;
            first = failed != null && failure == null;
            if (first) {
                failure = failed;
            }
            notifyAll();
        }
        if (first) {
            producer.close(Duration.ZERO);
        }
    }

    /**
     * Waits until everything is acknowledged.
     *
     * @return how much is not, by then
     * @throws KafkaException if something cannot be
     */
    synchronized int await(Duration longest) throws InterruptedException {
        long end = System.nanoTime() + longest.toNanos();
        long left = end - System.nanoTime();
        while (open > 0 && failure == null && left > 0) {
            TimeUnit.NANOSECONDS.timedWait(this, left);
            left = end - System.nanoTime();
        }
        requireNoFailure();
        return open;
    }

    synchronized long bytes() {
        return bytes;
    }

    private void requireNoFailure() {
        if (failure != null) {
            throw new KafkaException("Kafka does not take an event", failure);
        }
    }
}
