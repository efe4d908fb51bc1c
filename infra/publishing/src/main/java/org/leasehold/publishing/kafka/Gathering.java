package org.leasehold.publishing.kafka;

import org.apache.kafka.clients.producer.ProducerRecord;
import org.leasehold.query.Feed.Entry;

import java.util.List;

/** Collects events, and then creates the records for Kafka from all of them. */
interface Gathering {

    /** Takes the next event, without any query. */
    void take(Entry entry);

    /** Returns some of the records, maybe none: as many as are created within a second. */
    List<ProducerRecord<byte[], byte[]>> next();

    /** Returns the number of items that have no records yet. */
    int left();
}
