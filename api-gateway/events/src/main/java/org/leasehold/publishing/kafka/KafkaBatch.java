package org.leasehold.publishing.kafka;

import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.leasehold.publishing.InFlightBatch;
import org.leasehold.readmodel.event.EventFeed.Entry;

import java.time.Duration;

/** A batch of events that are sent to Kafka unchanged. */
final class KafkaBatch implements InFlightBatch {

    private final KafkaRecordSender sender;
    private final EventRecordMapper records;
    private long bytes;

    KafkaBatch(Producer<byte[], byte[]> producer, EventRecordMapper records) {
        this.sender = new KafkaRecordSender(producer);
        this.records = records;
    }

    @Override
    public void send(Entry entry) {
        ProducerRecord<byte[], byte[]> event = records.toRecord(entry);
        bytes += event.value().length;
        sender.send(event);
    }

    @Override
    public int await(Duration longest) throws InterruptedException {
        return sender.await(longest);
    }

    @Override
    public long bytes() {
        return bytes;
    }
}
