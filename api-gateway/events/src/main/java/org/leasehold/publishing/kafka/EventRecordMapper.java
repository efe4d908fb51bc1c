package org.leasehold.publishing.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.apache.kafka.clients.producer.ProducerRecord;
import org.leasehold.readmodel.event.EventFeed.Entry;
import org.leasehold.wire.event.EventDocuments;

import java.util.Locale;

/** Events as CloudEvents 1.0 in Kafka, in binary mode. */
final class EventRecordMapper {

    private final String topic;
    private final EventDocuments events;

    EventRecordMapper(String topic, EventDocuments events) {
        this.topic = topic;
        this.events = events;
    }

    ProducerRecord<byte[], byte[]> toRecord(Entry entry) {
        ProducerRecord<byte[], byte[]> event =
                new ProducerRecord<>(topic, key(entry).getBytes(UTF_8), events.data(entry));
        new CloudEventAttributes(event.headers())
                .cloudEvent(
                        events.source(entry.position()),
                        entry.id().toString(),
                        "org.leasehold." + entry.type())
                .with("ce_subject", entry.stream())
                .with("ce_time", entry.decidedAt().toString())
                .with("ce_recordedtime", entry.recordedAt().toString())
                .with("ce_project", entry.project())
                .with("ce_projectsequence", Long.toString(entry.number()))
                .with("ce_position", Long.toString(entry.position()))
                .with("ce_streamsequence", Long.toString(entry.sequence()))
                .with("ce_dataversion", Integer.toString(entry.version()))
                .with("ce_userid", entry.user())
                .with("ce_requestid", entry.requestId())
                .with("ce_causationid", entry.causation());
        return event;
    }

    /** Returns the key; events of one stream stay in order because they share it. */
    private static String key(Entry entry) {
        return entry.isOfLease()
                ? entry.stream()
                : entry.streamType().toLowerCase(Locale.ROOT) + ":" + entry.stream();
    }
}
