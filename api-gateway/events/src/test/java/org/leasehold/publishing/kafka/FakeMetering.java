package org.leasehold.publishing.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.Allocation;
import org.leasehold.readmodel.usage.Metering;
import org.leasehold.readmodel.usage.UsageRecord;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.Share;
import org.springframework.jdbc.core.simple.JdbcClient;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/** Usage with one record for each event, and one for each existing lease at a reading. */
final class FakeMetering implements Metering {

    private static final Instant NOON = Instant.parse("2030-01-01T12:00:00Z");

    private final JdbcClient jdbc;
    private final TreeMap<Instant, Reading> readings = new TreeMap<>();

    FakeMetering(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    static UUID id(String lease, Object when) {
        return UUID.nameUUIDFromBytes((lease + " " + when).getBytes(UTF_8));
    }

    private static UsageRecord used(LeaseId lease, Object when) {
        return new UsageRecord(
                id(lease.toString(), when),
                lease,
                new ProjectId("p1"),
                new ReservationId(new UUID(3, 3)),
                new ResourceKind("virtual:instance"),
                new ResourceId(7),
                new ResourceKind("physical:host"),
                new Allocation(new ResourceId(7), "compute-7", Map.of("gpu", "V100"))
                        .shared(new Share(2, Map.of("VCPU", 4L))),
                NOON,
                NOON.plusSeconds(90).plusNanos(250_000_000),
                2,
                -1);
    }

    @Override
    public List<UsageRecord> usageOfEvents(Collection<LeaseId> leases, long after, long through) {
        List<UsageRecord> records = new ArrayList<>();
        for (LeaseId lease : leases) {
            jdbc.sql(
                            """
                            SELECT sequence FROM domain_event
                            WHERE stream_id = ? AND position > ? AND position <= ?
                            ORDER BY sequence
                            """)
                    .params(lease.toString(), after, through)
                    .query(Long.class)
                    .list()
                    .forEach(sequence -> records.add(used(lease, sequence)));
        }
        return records;
    }

    @Override
    public void recordReading(Instant at) {
        @Nullable Instant last = readings.isEmpty() ? null : readings.lastKey();
        if (last == null || last.isBefore(at)) {
            readings.put(at, new Reading(at, head(), last));
        }
    }

    private long head() {
        return jdbc.sql("SELECT coalesce(max(position), 0) FROM domain_event")
                .query(Long.class)
                .single();
    }

    @Override
    public List<Reading> readings(Instant after, int limit) {
        return readings.tailMap(after, false).values().stream().limit(limit).toList();
    }

    @Override
    public List<LeaseId> runningLeases(Reading reading) {
        return jdbc.sql(
                        """
                        SELECT DISTINCT stream_id FROM domain_event
                        WHERE position <= ? AND stream_type = 'Lease' ORDER BY stream_id
                        """)
                .param(reading.position())
                .query((row, _) -> LeaseId.of(row.getString(1)))
                .list();
    }

    @Override
    public List<UsageRecord> usageOfReading(Reading reading, Collection<LeaseId> leases) {
        return leases.stream().map(lease -> used(lease, reading.at())).toList();
    }
}
