package org.leasehold.publishing.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;
import org.leasehold.publishing.EventForm;
import org.leasehold.query.Feed.Entry;

import java.util.Locale;

/** Events as CloudEvents 1.0 has them in Kafka, in binary mode. */
final class EventRecords {

    private static final String LEASE = "Lease";

    private final String topic;
    private final EventForm form;

    EventRecords(String topic, EventForm form) {
        this.topic = topic;
        this.form = form;
    }

    ProducerRecord<byte[], byte[]> of(Entry entry) {
        ProducerRecord<byte[], byte[]> event =
                new ProducerRecord<>(topic, key(entry).getBytes(UTF_8), form.data(entry));
        Headers headers = event.headers();
        add(headers, "ce_specversion", "1.0");
        add(headers, "ce_id", entry.id().toString());
        add(headers, "ce_source", form.source());
        add(headers, "ce_type", "org.leasehold." + entry.type());
        add(headers, "ce_subject", entry.stream());
        add(headers, "ce_time", entry.decidedAt().toString());
        add(headers, "ce_recordedtime", entry.recordedAt().toString());
        add(headers, "content-type", "application/json");
        add(headers, "ce_project", entry.project());
        add(headers, "ce_projectsequence", Long.toString(entry.number()));
        add(headers, "ce_position", Long.toString(entry.position()));
        add(headers, "ce_streamsequence", Long.toString(entry.sequence()));
        add(headers, "ce_dataversion", Integer.toString(entry.version()));
        add(headers, "ce_userid", entry.user());
        add(headers, "ce_requestid", entry.requestId());
        add(headers, "ce_causationid", entry.causation());
        return event;
    }

    /** What happens to one and the same stays in order, because it has one key. */
    private static String key(Entry entry) {
        return entry.streamType().equals(LEASE)
                ? entry.stream()
                : entry.streamType().toLowerCase(Locale.ROOT) + ":" + entry.stream();
    }

    private static void add(Headers headers, String name, @Nullable String value) {
        if (value != null) {
            headers.add(name, value.getBytes(UTF_8));
        }
    }
}
