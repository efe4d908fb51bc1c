package org.leasehold.publishing.kafka;

import org.apache.kafka.clients.producer.ProducerRecord;
import org.leasehold.query.Feed.Entry;

import java.util.List;

/** Takes events in, and then makes of all of them what Kafka is sent. */
interface Gathering {

    /** Takes the next event in; looks nothing up. */
    void take(Entry entry);

    /** Some of what is to be sent, which may be nothing: as much as is made within a second. */
    List<ProducerRecord<byte[], byte[]>> next();

    /** How much of what was taken in is yet to be made something of. */
    int left();
}
