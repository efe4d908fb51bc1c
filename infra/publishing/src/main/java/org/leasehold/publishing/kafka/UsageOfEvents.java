package org.leasehold.publishing.kafka;

import org.apache.kafka.clients.producer.ProducerRecord;
import org.leasehold.lease.LeaseId;
import org.leasehold.query.Feed.Entry;
import org.leasehold.query.Metering;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The usage that follows from events, lease by lease. Observed use of a resource does not change
 * what its lease has had.
 */
final class UsageOfEvents implements Gathering {

    /** The number of leases whose events one statement reads. */
    static final int AT_ONCE = 50;

    private final Metering metering;
    private final UsageRecords records;
    private final Set<String> leases = new LinkedHashSet<>();
    private long after = Long.MAX_VALUE;
    private long through;

    UsageOfEvents(Metering metering, UsageRecords records) {
        this.metering = metering;
        this.records = records;
    }

    @Override
    public void take(Entry entry) {
        if (entry.isOfLease()) {
            leases.add(entry.stream());
            after = Math.min(after, entry.position() - 1);
        }
        through = entry.position();
    }

    @Override
    public List<ProducerRecord<byte[], byte[]>> next() {
        List<LeaseId> some = new ArrayList<>();
        Iterator<String> ids = leases.iterator();
        while (ids.hasNext() && some.size() < AT_ONCE) {
            some.add(LeaseId.of(ids.next()));
            ids.remove();
        }
        return records.of(metering.ofEvents(some, after, through));
    }

    @Override
    public int left() {
        return leases.size();
    }
}
