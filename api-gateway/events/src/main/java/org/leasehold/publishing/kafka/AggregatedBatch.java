package org.leasehold.publishing.kafka;

import org.apache.kafka.clients.producer.Producer;
import org.leasehold.publishing.InFlightBatch;
import org.leasehold.readmodel.event.EventFeed.Entry;

import java.time.Duration;

/**
 * A batch of records that are derived from events. It creates them in small steps while it waits
 * for acknowledgements, so that the ownership of the publication is renewed.
 */
final class AggregatedBatch implements InFlightBatch {

    private final RecordAggregator aggregator;
    private final KafkaRecordSender sender;
    private long bytes;

    AggregatedBatch(Producer<byte[], byte[]> producer, RecordAggregator gathering) {
        this.aggregator = gathering;
        this.sender = new KafkaRecordSender(producer);
    }

    @Override
    public void send(Entry entry) {
        aggregator.add(entry);
        bytes += entry.data().length();
    }

    @Override
    public int await(Duration longest) throws InterruptedException {
        long end = System.nanoTime() + longest.toNanos();
        while (aggregator.countRemaining() > 0 && System.nanoTime() < end) {
            aggregator.nextRecords().forEach(sender::send);
        }
        int open = sender.await(Duration.ofNanos(end - System.nanoTime()));
        return aggregator.countRemaining() + open;
    }

    @Override
    public long bytes() {
        return bytes;
    }
}
