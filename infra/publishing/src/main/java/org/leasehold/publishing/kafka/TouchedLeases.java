package org.leasehold.publishing.kafka;

import org.apache.kafka.clients.producer.ProducerRecord;
import org.leasehold.query.Feed.Entry;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The leases with new events; each gets one record, for any number of events. */
final class TouchedLeases implements Gathering {

    /** The number of leases whose events one statement reads. */
    private static final int AT_ONCE = 100;

    private final LeaseRecords records;
    private final Map<String, Entry> last = new LinkedHashMap<>();
    private long through;

    TouchedLeases(LeaseRecords records) {
        this.records = records;
    }

    @Override
    public void take(Entry entry) {
        if (entry.isOfLease()) {
            last.put(entry.stream(), entry);
        }
        through = entry.position();
    }

    @Override
    public List<ProducerRecord<byte[], byte[]>> next() {
        List<Entry> some = new ArrayList<>();
        Iterator<Entry> entries = last.values().iterator();
        while (entries.hasNext() && some.size() < AT_ONCE) {
            some.add(entries.next());
            entries.remove();
        }
        return records.of(some, through);
    }

    @Override
    public int left() {
        return last.size();
    }
}
