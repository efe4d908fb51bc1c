package org.leasehold.publishing.kafka;

import org.apache.kafka.clients.producer.Producer;
import org.leasehold.publishing.Flight;
import org.leasehold.query.Feed.Entry;

import java.time.Duration;

/**
 * A batch in a Kafka transaction. The purpose is not atomic reads: Kafka rejects the transactions
 * of a producer that has a successor.
 */
final class TransactionFlight implements Flight {

    private final Producer<byte[], byte[]> producer;
    private final Flight flight;
    private boolean begun;

    TransactionFlight(Producer<byte[], byte[]> producer, Flight flight) {
        this.producer = producer;
        this.flight = flight;
    }

    @Override
    public void send(Entry entry) throws InterruptedException {
        if (!begun) {
            producer.beginTransaction();
            begun = true;
        }
        flight.send(entry);
    }

    @Override
    public int await(Duration longest) throws InterruptedException {
        int open = flight.await(longest);
        if (open == 0 && begun) {
            producer.commitTransaction();
            begun = false;
        }
        return open;
    }

    @Override
    public long bytes() {
        return flight.bytes();
    }
}
