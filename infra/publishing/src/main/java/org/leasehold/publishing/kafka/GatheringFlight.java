package org.leasehold.publishing.kafka;

import org.apache.kafka.clients.producer.Producer;
import org.leasehold.publishing.Flight;
import org.leasehold.query.Feed.Entry;

import java.time.Duration;

/**
 * Events of which something else is made than they are. It is made while its acknowledgement is
 * waited for, a little at a time: meanwhile a publication is kept.
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
