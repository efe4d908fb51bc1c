package org.leasehold.publishing.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import org.leasehold.lease.LeaseId;
import org.leasehold.publishing.LeaseDocument;
import org.leasehold.query.Feed.Entry;
import org.leasehold.query.LeaseView;
import org.leasehold.query.Leases;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Leases as CloudEvents 1.0 has them in Kafka, in binary mode: each as its last event left it. */
final class LeaseRecords {

    private final String topic;
    private final String source;
    private final Leases leases;
    private final LeaseDocument document;

    /**
     * @param source which engine they come from, as a URI reference
     */
    LeaseRecords(String topic, String source, Leases leases, LeaseDocument document) {
        this.topic = topic;
        this.source = source;
        this.leases = leases;
        this.document = document;
    }

    /**
     * What some leases were at a position; no value for one that is gone. One that was refused has
     * never been there, so that nothing is told of it.
     *
     * @param last the last event of each up to there
     */
    List<ProducerRecord<byte[], byte[]>> of(List<Entry> last, long position) {
        Map<LeaseId, LeaseView> views =
                leases.find(
                        last.stream()
                                .map(entry -> LeaseId.of(entry.stream()))
                                .collect(Collectors.toUnmodifiableSet()),
                        position);
        List<ProducerRecord<byte[], byte[]>> told = new ArrayList<>();
        for (Entry entry : last) {
            LeaseView view = views.get(LeaseId.of(entry.stream()));
            if (view != null || entry.sequence() > 0) {
                told.add(told(entry, view));
            }
        }
        return told;
    }

    private ProducerRecord<byte[], byte[]> told(Entry entry, @Nullable LeaseView lease) {
        ProducerRecord<byte[], byte[]> told =
                new ProducerRecord<>(
                        topic,
                        entry.stream().getBytes(UTF_8),
                        lease == null ? null : document.of(lease));
        // An event's id is that of the event, in the topic of events.
        new Attributes(told.headers())
                .cloudEvent(source, entry.id() + "/lease", "org.leasehold.Lease")
                .with("ce_subject", entry.stream())
                .with("ce_time", entry.decidedAt().toString())
                .with("ce_project", entry.project())
                .with("ce_position", Long.toString(entry.position()))
                .with("ce_streamsequence", Long.toString(entry.sequence()))
                .with("ce_dataversion", "1");
        return told;
    }
}
