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

/** The records sent to Kafka. The first failure closes the producer. */
final class KafkaRecordSender implements Callback {

    private final Producer<byte[], byte[]> producer;
    private int unacknowledged;
    private @Nullable Exception failure;

    KafkaRecordSender(Producer<byte[], byte[]> producer) {
        this.producer = producer;
    }

    /**
     * Sends a record without waiting for the acknowledgement.
     *
     * @throws KafkaException if an earlier record was not accepted
     */
    void send(ProducerRecord<byte[], byte[]> message) {
        synchronized (this) {
            requireNoFailure();
            unacknowledged++;
        }
        // The callback receives its failure.
        Future<RecordMetadata> _ = producer.send(message, this);
    }

    /** Runs in the producer's own thread, before it sends anything else. */
    @Override
    public void onCompletion(@Nullable RecordMetadata sent, @Nullable Exception failed) {
        boolean first;
        synchronized (this) {
            unacknowledged--;
            first = failed != null && failure == null;
            if (first) {
                failure = failed;
            }
            if (first || unacknowledged == 0) {
                notifyAll();
            }
        }
        if (first) {
            producer.close(Duration.ZERO);
        }
    }

    /**
     * Waits until everything is acknowledged.
     *
     * @return the number of records without acknowledgement after the timeout
     * @throws KafkaException if a record was not accepted
     */
    synchronized int await(Duration longest) throws InterruptedException {
        long end = System.nanoTime() + longest.toNanos();
        long left = end - System.nanoTime();
        while (unacknowledged > 0 && failure == null && left > 0) {
            TimeUnit.NANOSECONDS.timedWait(this, left);
            left = end - System.nanoTime();
        }
        requireNoFailure();
        return unacknowledged;
    }

    private void requireNoFailure() {
        if (failure != null) {
            throw new KafkaException("Kafka does not take an event", failure);
        }
    }
}
