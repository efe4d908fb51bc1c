package org.leasehold.query.lease;

import org.leasehold.history.RecordedEvent;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.query.rebuild.Rebuildable;
import org.leasehold.query.rebuild.ShadowTable;
import org.springframework.jdbc.core.JdbcTemplate;

import java.util.ArrayList;
import java.util.List;

/**
 * The table of leases, and the number of unfinished ones of each project. A second table is filled
 * and replaces the first; the numbers are replaced. A command writes both while it holds the lock
 * of all appends, so the holder of that lock may take the table's.
 */
final class RebuildableLeases implements Rebuildable {

    private static final String LEASE = "lease";

    private final JdbcTemplate jdbc;
    private final LeaseViewCodec codec;

    RebuildableLeases(JdbcTemplate jdbc, LeaseViewCodec codec) {
        this.jdbc = jdbc;
        this.codec = codec;
    }

    @Override
    public String name() {
        return "leases";
    }

    @Override
    public Draft begin() {
        ShadowTable second = ShadowTable.create(jdbc, LEASE);
        return new Rebuilt(
                second,
                new LeaseProjection(new LeaseTable(jdbc, codec, ShadowTable.shadowName(LEASE))),
                new LeaseCountRows(jdbc));
    }

    private record Rebuilt(ShadowTable second, LeaseProjection projection, LeaseCountRows counts)
            implements Draft {

        @Override
        public void apply(List<RecordedEvent> events) {
            List<SequencedLeaseEvent> changes = new ArrayList<>();
            for (RecordedEvent recorded : events) {
                if (recorded.event() instanceof LeaseEvent event) {
                    changes.add(
                            new SequencedLeaseEvent(
                                    event, recorded.sequence(), recorded.decidedAt()));
                }
            }
            counts.trackChanges(projection.project(changes));
        }

        @Override
        public void finish() {
            second.analyze();
        }

        @Override
        public void lockAfterAppends() {
            second.lockOriginal();
        }

        @Override
        public void replace() {
            second.replaceOriginal();
            counts.replace();
        }
    }
}
