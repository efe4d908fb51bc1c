package org.leasehold.publishing.kafka;

import org.apache.kafka.clients.producer.Producer;
import org.leasehold.publishing.Flight;
import org.leasehold.query.Feed.Entry;

import java.time.Duration;

/**
 * A batch of records that are derived from events. It creates them in small steps while it waits
 * for acknowledgements, so that the ownership of the publication is renewed.
 */
final class GatheringFlight implements Flight {

    private final Gathering gathering;
    private final Sending sending;
    private long bytes;

    GatheringFlight(Producer<byte[], byte[]> producer, Gathering gathering) {
        this.gathering = gathering;
        this.sending = new Sending(producer);
    }

    @Override
    public void send(Entry entry) {
        gathering.take(entry);
        bytes += entry.data().length();
    }

    @Override
    public int await(Duration longest) throws InterruptedException {
        long end = System.nanoTime() + longest.toNanos();
        while (gathering.left() > 0 && System.nanoTime() < end) {
            gathering.next().forEach(sending::send);
        }
        int open = sending.await(Duration.ofNanos(end - System.nanoTime()));
        return gathering.left() + open;
    }

    @Override
    public long bytes() {
        return bytes;
    }
}
