package org.leasehold.publishing.kafka;

import org.apache.kafka.clients.producer.ProducerRecord;
import org.leasehold.readmodel.event.EventFeed.Entry;

import java.util.List;

/** Collects events, and then creates the records for Kafka from all of them. */
interface RecordAggregator {

    /** Takes the next event, without any query. */
    void add(Entry entry);

    /** Returns some of the records, maybe none: as many as are created within a second. */
    List<ProducerRecord<byte[], byte[]>> nextRecords();

    /** Returns the number of items that have no records yet. */
    int countRemaining();
}
