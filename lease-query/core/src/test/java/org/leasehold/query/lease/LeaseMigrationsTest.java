package org.leasehold.query.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.query.lease.LeaseFixtures.ASTRONOMY;
import static org.leasehold.query.lease.LeaseFixtures.NOON;
import static org.leasehold.query.lease.LeaseFixtures.hosts;

import org.junit.jupiter.api.Test;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.EndCause;
import org.leasehold.lease.LeaseEvent.LeaseEnded;
import org.leasehold.lease.LeaseEvent.LeaseRenamed;
import org.leasehold.lease.ReservationWish;
import org.leasehold.vocabulary.LeaseId;

import java.util.List;
import java.util.Map;

/** Tests the migrations that fill columns of existing leases. */
class LeaseMigrationsTest extends LeaseRebuildFixture {

    @Test
    void a_migration_counts_the_unfinished_leases() {
        for (int i = 0; i < 60; i++) {
            live(i);
        }
        database.jdbc()
                .execute(
                        "UPDATE lease SET status = 'ENDED' WHERE lease_id IN"
                                + " (SELECT lease_id FROM lease ORDER BY lease_id LIMIT 3)");
        database.jdbc().execute("DROP TABLE lease_count");

        database.countLeases();

        assertThat(database.jdbc().queryForList("SELECT * FROM lease_count"))
                .containsExactly(
                        Map.of("project_id", ASTRONOMY.value(), "unfinished", 37L, "retried", 0L));
    }

    @Test
    void a_migration_fills_the_columns_of_filters() {
        for (int i = 0; i < 60; i++) {
            live(i);
        }
        LeaseId over = LeaseFixtures.lease(1);
        journal.append(NOON.plusSeconds(99), new LeaseEnded(over, EndCause.WINDOW_OVER));
        LeaseId mixed = LeaseFixtures.lease(100);
        journal.append(
                NOON,
                LeaseFixtures.requested(
                        mixed,
                        ASTRONOMY,
                        "Größe \"\\",
                        hosts(LeaseFixtures.reservation(100), 1, 1),
                        new ReservationWish(
                                LeaseFixtures.reservation(101), ResourceKind.VOLUME, Map.of())));
        journal.append(NOON, LeaseFixtures.requested(LeaseFixtures.lease(101), ASTRONOMY, ""));
        List<Map<String, Object>> before = rows();
        database.jdbc()
                .execute(
                        """
                        ALTER TABLE lease DROP COLUMN name, DROP COLUMN user_id,
                            DROP COLUMN starts, DROP COLUMN ends, DROP COLUMN kinds,
                            DROP COLUMN unfinished, DROP COLUMN needs_attention
                        """);

        database.addFilters();

        assertThat(rows()).isEqualTo(before);
        assertThat(indexes()).hasSize(14);
        // From now on, they are ordinary columns.
        journal.append(NOON.plusSeconds(100), new LeaseRenamed(mixed, "renamed"));
        assertThat(rows()).isNotEqualTo(before);
    }
}
