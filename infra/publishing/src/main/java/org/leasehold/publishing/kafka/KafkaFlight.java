package org.leasehold.publishing.kafka;

import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import org.leasehold.publishing.Flight;
import org.leasehold.query.Feed.Entry;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** What Kafka has been sent. With the first failure its producer is closed. */
final class KafkaFlight implements Flight, Callback {

    private final Producer<byte[], byte[]> producer;
    private final EventRecords records;
    private int open;
    private long bytes;
    private @Nullable Exception failure;

    KafkaFlight(Producer<byte[], byte[]> producer, EventRecords records) {
        this.producer = producer;
        this.records = records;
    }

    @Override
    public void send(Entry entry) {
        ProducerRecord<byte[], byte[]> event = records.of(entry);
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

    @Override
    public synchronized int await(Duration longest) throws InterruptedException {
        long end = System.nanoTime() + longest.toNanos();
        long left = end - System.nanoTime();
        while (open > 0 && failure == null && left > 0) {
            TimeUnit.NANOSECONDS.timedWait(this, left);
            left = end - System.nanoTime();
        }
        requireNoFailure();
        return open;
    }

    @Override
    public synchronized long bytes() {
        return bytes;
    }

    private void requireNoFailure() {
        if (failure != null) {
            throw new KafkaException("Kafka does not take an event", failure);
        }
    }
}
