package org.leasehold.publishing.kafka;

import org.apache.kafka.clients.producer.Producer;
import org.leasehold.publishing.Flight;
import org.leasehold.publishing.Line;

import java.time.Duration;
import java.util.function.Function;
import java.util.function.Supplier;

/** A connection to Kafka. */
final class KafkaLine implements Line {

    private final Producer<byte[], byte[]> producer;
    private final Function<Producer<byte[], byte[]>, Flight> flights;

    KafkaLine(
            Producer<byte[], byte[]> producer, Function<Producer<byte[], byte[]>, Flight> flights) {
        this.producer = producer;
        this.flights = flights;
    }

    /** Creates a connection for events. */
    static KafkaLine ofEvents(KafkaSettings settings, EventRecords records) {
        return new KafkaLine(
                Producers.connect(settings), producer -> new KafkaFlight(producer, records));
    }

    /** Creates a connection for the states of leases. */
    static KafkaLine ofLeases(KafkaSettings settings, LeaseRecords records) {
        return new KafkaLine(
                Producers.succeed(settings, settings.leasesTopic()),
                producer ->
                        new TransactionFlight(
                                producer,
                                new GatheringFlight(producer, new TouchedLeases(records))));
    }

    /** Creates a connection for records that are derived from events or from other entries. */
    static KafkaLine ofWhatFollows(KafkaSettings settings, Supplier<Gathering> gathering) {
        return new KafkaLine(
                Producers.connect(settings),
                producer -> new GatheringFlight(producer, gathering.get()));
    }

    @Override
    public Flight begin() {
        return flights.apply(producer);
    }

    /** Returns true: a producer reconnects by itself. */
    @Override
    public boolean isOpen() {
        return true;
    }

    @Override
    public void close() {
        producer.close(Duration.ZERO);
    }
}
