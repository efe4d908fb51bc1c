package org.leasehold.publishing.kafka;

import org.apache.kafka.clients.producer.ProducerRecord;
import org.leasehold.readmodel.event.EventFeed.Entry;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The leases with new events; each gets one record, for any number of events. */
final class ChangedLeaseAggregator implements RecordAggregator {

    /** The number of leases whose events one statement reads. */
    private static final int LEASES_PER_QUERY = 100;

    private final LeaseRecordMapper records;
    private final Map<String, Entry> lastEvents = new LinkedHashMap<>();
    private long lastPosition;

    ChangedLeaseAggregator(LeaseRecordMapper records) {
        this.records = records;
    }

    @Override
    public void add(Entry entry) {
        if (entry.isOfLease()) {
            lastEvents.put(entry.stream(), entry);
        }
        lastPosition = entry.position();
    }

    @Override
    public List<ProducerRecord<byte[], byte[]>> nextRecords() {
        List<Entry> batch = new ArrayList<>();
        Iterator<Entry> entries = lastEvents.values().iterator();
        while (entries.hasNext() && batch.size() < LEASES_PER_QUERY) {
            batch.add(entries.next());
            entries.remove();
        }
        return records.toRecords(batch, lastPosition);
    }

    @Override
    public int countRemaining() {
        return lastEvents.size();
    }
}
