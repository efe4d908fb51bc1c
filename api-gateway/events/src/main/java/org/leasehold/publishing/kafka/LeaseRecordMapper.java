package org.leasehold.publishing.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import org.leasehold.readmodel.event.EventFeed.Entry;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.readmodel.lease.Leases;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.wire.event.EventDocuments;
import org.leasehold.wire.lease.OperatorLeaseDocuments;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Leases as CloudEvents 1.0 in Kafka, in binary mode: each in the state after its last event. */
final class LeaseRecordMapper {

    private final String topic;
    private final EventDocuments events;
    private final Leases leases;
    private final OperatorLeaseDocuments documents;

    LeaseRecordMapper(
            String topic, EventDocuments events, Leases leases, OperatorLeaseDocuments documents) {
        this.topic = topic;
        this.events = events;
        this.leases = leases;
        this.documents = documents;
    }

    /**
     * Returns the states of some leases at a position; no value for a deleted one. A refused lease
     * never existed, and has no record.
     *
     * @param last the last event of each lease up to the position
     */
    List<ProducerRecord<byte[], byte[]>> toRecords(List<Entry> last, long position) {
        Map<LeaseId, LeaseView> views =
                leases.find(
                        last.stream()
                                .map(entry -> LeaseId.of(entry.stream()))
                                .collect(Collectors.toUnmodifiableSet()),
                        position);
        List<ProducerRecord<byte[], byte[]>> mapped = new ArrayList<>();
        for (Entry entry : last) {
            LeaseView view = views.get(LeaseId.of(entry.stream()));
            if (view != null || entry.sequence() > 0) {
                mapped.add(toRecord(entry, view));
            }
        }
        return mapped;
    }

    private ProducerRecord<byte[], byte[]> toRecord(Entry entry, @Nullable LeaseView lease) {
        ProducerRecord<byte[], byte[]> mapped =
                new ProducerRecord<>(
                        topic,
                        entry.stream().getBytes(UTF_8),
                        lease == null ? null : documents.serialize(lease));
        // The plain id of the event is used in the topic of events.
        new CloudEventAttributes(mapped.headers())
                .cloudEvent(
                        events.source(entry.position()),
                        entry.id() + "/lease",
                        "org.leasehold.Lease")
                .with("ce_subject", entry.stream())
                .with("ce_time", entry.decidedAt().toString())
                .with("ce_project", entry.project())
                .with("ce_position", Long.toString(entry.position()))
                .with("ce_streamsequence", Long.toString(entry.sequence()))
                .with("ce_dataversion", "1");
        return mapped;
    }
}
