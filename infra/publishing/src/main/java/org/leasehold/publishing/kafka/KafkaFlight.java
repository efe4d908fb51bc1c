package org.leasehold.publishing.kafka;

import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.leasehold.publishing.Flight;
import org.leasehold.query.Feed.Entry;

import java.time.Duration;

/** A batch of events that are sent to Kafka unchanged. */
final class KafkaFlight implements Flight {

    private final Sending sending;
    private final EventRecords records;
    private long bytes;

    KafkaFlight(Producer<byte[], byte[]> producer, EventRecords records) {
        this.sending = new Sending(producer);
        this.records = records;
    }

    @Override
    public void send(Entry entry) {
        ProducerRecord<byte[], byte[]> event = records.of(entry);
        bytes += event.value().length;
        sending.send(event);
    }

    @Override
    public int await(Duration longest) throws InterruptedException {
        return sending.await(longest);
    }

    @Override
    public long bytes() {
        return bytes;
    }
}
