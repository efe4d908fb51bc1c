package org.leasehold.publishing.kafka;

import org.apache.kafka.clients.producer.Producer;
import org.leasehold.publishing.BrokerConnection;
import org.leasehold.publishing.InFlightBatch;

import java.time.Duration;
import java.util.function.Function;
import java.util.function.Supplier;

/** A connection to Kafka. */
final class KafkaConnection implements BrokerConnection {

    private final Producer<byte[], byte[]> producer;
    private final Function<Producer<byte[], byte[]>, InFlightBatch> batchFactory;

    KafkaConnection(
            Producer<byte[], byte[]> producer,
            Function<Producer<byte[], byte[]>, InFlightBatch> flights) {
        this.producer = producer;
        this.batchFactory = flights;
    }

    /** Creates a connection for events. */
    static KafkaConnection ofEvents(KafkaSettings settings, EventRecordMapper records) {
        return new KafkaConnection(
                KafkaProducerFactory.connect(settings),
                producer -> new KafkaBatch(producer, records));
    }

    /** Creates a connection for the states of leases. */
    static KafkaConnection ofLeases(KafkaSettings settings, LeaseRecordMapper records) {
        return new KafkaConnection(
                KafkaProducerFactory.connectTransactional(settings, settings.leasesTopic()),
                producer ->
                        new KafkaTransactionBatch(
                                producer,
                                new AggregatedBatch(
                                        producer, new ChangedLeaseAggregator(records))));
    }

    /** Creates a connection for records that are derived from events or from other entries. */
    static KafkaConnection ofDerivedRecords(
            KafkaSettings settings, Supplier<RecordAggregator> gathering) {
        return new KafkaConnection(
                KafkaProducerFactory.connect(settings),
                producer -> new AggregatedBatch(producer, gathering.get()));
    }

    @Override
    public InFlightBatch begin() {
        return batchFactory.apply(producer);
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
