package org.leasehold.query.lease;

import org.leasehold.history.RecordedEvent;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.query.rebuild.Rebuildable;
import org.springframework.jdbc.core.JdbcTemplate;

import java.util.ArrayList;
import java.util.List;

/**
 * The table of leases. A second one is filled and takes the place of the first. A command writes
 * its lease when it has the lock of all appends, so whoever has that lock may take the table's.
 */
final class RebuildableLeases implements Rebuildable {

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
        jdbc.execute("CREATE TABLE lease_rebuilt (LIKE lease INCLUDING ALL)");
        return new SecondTable(
                jdbc, new LeaseProjection(new LeaseTable(jdbc, codec, "lease_rebuilt")));
    }

    private record SecondTable(JdbcTemplate jdbc, LeaseProjection projection) implements Draft {

        @Override
        public void apply(List<RecordedEvent> events) {
            List<LeaseChange> changes = new ArrayList<>();
            for (RecordedEvent recorded : events) {
                if (recorded.event() instanceof LeaseEvent event) {
                    changes.add(new LeaseChange(event, recorded.sequence(), recorded.decidedAt()));
                }
            }
            projection.project(changes);
        }

        @Override
        public void finish() {
            jdbc.execute("ANALYZE lease_rebuilt");
        }

        @Override
        public void lockAfterAppends() {
            jdbc.execute("LOCK TABLE lease IN ACCESS EXCLUSIVE MODE");
        }

        /** The indexes take the names of those before, for the sake of later migrations. */
        @Override
        public void replace() {
            List<String> renames =
                    jdbc.queryForList(
                            """
                            SELECT format('ALTER INDEX %s RENAME TO %I', new.indexrelid::regclass,
                                (SELECT relname FROM pg_class WHERE oid = old.indexrelid))
                            FROM pg_index old
                                JOIN pg_index new ON old.indkey::text = new.indkey::text
                            WHERE old.indrelid = 'lease'::regclass
                              AND new.indrelid = 'lease_rebuilt'::regclass
                            """,
                            String.class);
            jdbc.execute("DROP TABLE lease");
            jdbc.execute("ALTER TABLE lease_rebuilt RENAME TO lease");
            renames.forEach(jdbc::execute);
        }
    }
}
