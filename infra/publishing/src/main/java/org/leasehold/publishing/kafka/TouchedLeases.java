package org.leasehold.publishing.kafka;

import org.apache.kafka.clients.producer.ProducerRecord;
import org.leasehold.query.Feed.Entry;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The leases to which something has happened: however much that is, each is told once. */
final class TouchedLeases implements Gathering {

    /** One statement reads their events. */
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
