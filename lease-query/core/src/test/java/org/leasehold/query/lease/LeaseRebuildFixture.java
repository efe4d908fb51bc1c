package org.leasehold.query.lease;

import static org.leasehold.query.lease.LeaseFixtures.ASTRONOMY;
import static org.leasehold.query.lease.LeaseFixtures.NOON;
import static org.leasehold.query.lease.LeaseFixtures.host;
import static org.leasehold.query.lease.LeaseFixtures.hosts;

import org.leasehold.lease.EndCause;
import org.leasehold.lease.LeaseEvent.LeaseActivated;
import org.leasehold.lease.LeaseEvent.LeaseDeleted;
import org.leasehold.lease.LeaseEvent.LeaseEnded;
import org.leasehold.lease.LeaseEvent.LeaseEnding;
import org.leasehold.lease.LeaseEvent.LeaseRenamed;
import org.leasehold.lease.LeaseEvent.LeaseStarting;
import org.leasehold.vocabulary.LeaseId;

import java.util.List;
import java.util.Map;

/** A read model of leases that a test damages, and the rows and indexes of the table. */
abstract class LeaseRebuildFixture extends LeaseDatabaseFixture {

    // The event log does not preserve the order of parameters; neither does a rebuild.
    private static final String ROWS =
            "SELECT lease_id, project_id, status, created_at, view::jsonb::text AS view, name,"
                    + " user_id, starts, ends, kinds::text, unfinished, needs_attention"
                    + " FROM lease ORDER BY lease_id";

    /** Appends the events of a lease: one in three has ended, one runs, one waits for its start. */
    void live(int number) {
        LeaseId id = LeaseFixtures.lease(number);
        var reservation = LeaseFixtures.reservation(number);
        journal.append(
                NOON.plusSeconds(number),
                LeaseFixtures.requested(id, ASTRONOMY, "n" + number, hosts(reservation, 1, 2)),
                LeaseFixtures.granted(id, reservation, host(1), host(2)));
        switch (number % 3) {
            case 0 ->
                    journal.append(
                            NOON.plusSeconds(number + 1L),
                            new LeaseEnding(id, EndCause.DELETED, List.of()),
                            new LeaseEnded(id, EndCause.DELETED),
                            new LeaseDeleted(id));
            case 1 ->
                    journal.append(
                            NOON.plusSeconds(number + 1L),
                            new LeaseStarting(id, List.of()),
                            new LeaseActivated(id));
            default ->
                    journal.append(
                            NOON.plusSeconds(number + 1L), new LeaseRenamed(id, "m" + number));
        }
    }

    List<Map<String, Object>> rows() {
        return database.jdbc().queryForList(ROWS);
    }

    List<String> indexes() {
        return database.jdbc()
                .queryForList(
                        "SELECT indexdef FROM pg_indexes WHERE tablename = 'lease' ORDER BY 1",
                        String.class);
    }
}
