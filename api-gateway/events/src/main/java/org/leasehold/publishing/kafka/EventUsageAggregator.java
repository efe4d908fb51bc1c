package org.leasehold.publishing.kafka;

import org.apache.kafka.clients.producer.ProducerRecord;
import org.leasehold.readmodel.event.EventFeed.Entry;
import org.leasehold.readmodel.usage.Metering;
import org.leasehold.vocabulary.LeaseId;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The usage that follows from events, lease by lease. Observed use of a resource does not change
 * what its lease has had.
 */
final class EventUsageAggregator implements RecordAggregator {

    /** The number of leases whose events one statement reads. */
    static final int LEASES_PER_QUERY = 50;

    private final Metering metering;
    private final UsageRecordMapper records;
    private final Set<String> leases = new LinkedHashSet<>();
    private long positionBefore = Long.MAX_VALUE;
    private long lastPosition;

    EventUsageAggregator(Metering metering, UsageRecordMapper records) {
        this.metering = metering;
        this.records = records;
    }

    @Override
    public void add(Entry entry) {
        if (entry.isOfLease()) {
            leases.add(entry.stream());
            positionBefore = Math.min(positionBefore, entry.position() - 1);
        }
        lastPosition = entry.position();
    }

    @Override
    public List<ProducerRecord<byte[], byte[]>> nextRecords() {
        List<LeaseId> batch = new ArrayList<>();
        Iterator<String> ids = leases.iterator();
        while (ids.hasNext() && batch.size() < LEASES_PER_QUERY) {
            batch.add(LeaseId.of(ids.next()));
            ids.remove();
        }
        return records.mapUsage(metering.usageOfEvents(batch, positionBefore, lastPosition));
    }

    @Override
    public int countRemaining() {
        return leases.size();
    }
}
