package org.leasehold.publishing.kafka;

import org.apache.kafka.clients.producer.Producer;
import org.leasehold.publishing.InFlightBatch;
import org.leasehold.readmodel.event.EventFeed.Entry;

import java.time.Duration;

/**
 * A batch in a Kafka transaction. The purpose is not atomic reads: Kafka rejects the transactions
 * of a producer that has a successor.
 */
final class KafkaTransactionBatch implements InFlightBatch {

    private final Producer<byte[], byte[]> producer;
    private final InFlightBatch batch;
    private boolean transactionOpen;

    KafkaTransactionBatch(Producer<byte[], byte[]> producer, InFlightBatch flight) {
        this.producer = producer;
        this.batch = flight;
    }

    @Override
    public void send(Entry entry) throws InterruptedException {
        if (!transactionOpen) {
            producer.beginTransaction();
            transactionOpen = true;
        }
        batch.send(entry);
    }

    @Override
    public int await(Duration longest) throws InterruptedException {
        int open = batch.await(longest);
        if (open == 0 && transactionOpen) {
            producer.commitTransaction();
            transactionOpen = false;
        }
        return open;
    }

    @Override
    public long bytes() {
        return batch.bytes();
    }
}
