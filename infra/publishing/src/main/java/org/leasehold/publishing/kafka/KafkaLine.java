package org.leasehold.publishing.kafka;

import org.apache.kafka.clients.producer.Producer;
import org.leasehold.publishing.Flight;
import org.leasehold.publishing.Line;

import java.time.Duration;

/** A connection to Kafka. */
final class KafkaLine implements Line {

    private final Producer<byte[], byte[]> producer;
    private final EventRecords records;

    KafkaLine(Producer<byte[], byte[]> producer, EventRecords records) {
        this.producer = producer;
        this.records = records;
    }

    @Override
    public Flight begin() {
        return new KafkaFlight(producer, records);
    }

    /** A producer connects anew by itself. */
    @Override
    public boolean isOpen() {
        return true;
    }

    @Override
    public void close() {
        producer.close(Duration.ZERO);
    }
}
