package org.leasehold.publishing.kafka;

import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import org.leasehold.readmodel.event.EventFeed.Entry;
import org.leasehold.readmodel.usage.Metering;
import org.leasehold.readmodel.usage.Metering.Reading;
import org.leasehold.vocabulary.LeaseId;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;

/** The usage that follows from readings of all meters, some leases at a time. */
final class ReadingUsageAggregator implements RecordAggregator {

    private final Metering metering;
    private final UsageRecordMapper records;
    private final Deque<Instant> readings = new ArrayDeque<>();
    private final Deque<LeaseId> leases = new ArrayDeque<>();
    private @Nullable Reading reading;

    ReadingUsageAggregator(Metering metering, UsageRecordMapper records) {
        this.metering = metering;
        this.records = records;
    }

    /** Takes a reading from {@link ReadingsFeed}. */
    @Override
    public void add(Entry entry) {
        readings.add(entry.decidedAt());
    }

    @Override
    public List<ProducerRecord<byte[], byte[]>> nextRecords() {
        if (leases.isEmpty()) {
            Instant at = readings.remove();
            reading = metering.readings(at.minusSeconds(1), 1).getFirst();
            leases.addAll(metering.runningLeases(reading));
            return List.of();
        }
        List<LeaseId> batch = new ArrayList<>();
        while (!leases.isEmpty() && batch.size() < EventUsageAggregator.LEASES_PER_QUERY) {
            batch.add(leases.remove());
        }
        return records.mapUsage(metering.usageOfReading(Objects.requireNonNull(reading), batch));
    }

    @Override
    public int countRemaining() {
        return readings.size() + leases.size();
    }
}
