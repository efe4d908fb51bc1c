package org.leasehold.query.lease;

import static org.leasehold.query.lease.LeaseFixtures.NOON;

import org.junit.jupiter.api.BeforeEach;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.SortDirection;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.readmodel.lease.Leases;
import org.leasehold.readmodel.lease.Leases.ListLeases;
import org.leasehold.vocabulary.ProjectId;

import tools.jackson.databind.json.JsonMapper;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The query of leases in PostgreSQL; each test begins without leases. */
abstract class PostgresLeasesFixture extends LeaseDatabaseFixture {

    Leases leases;

    @BeforeEach
    void createLeases() {
        leases = leases(database, journal);
    }

    static Leases leases(Database database, LeaseEventLog journal) {
        JsonMapper mapper = EventJson.mapper();
        return new LeaseViewConfiguration()
                .leases(
                        database.dataSource(),
                        new LeaseViewCodec(mapper),
                        journal.justWritten(),
                        mapper,
                        journal);
    }

    void append(int number, ProjectId project) {
        Instant when = NOON.plusSeconds(number);
        journal.append(
                when, LeaseFixtures.requested(LeaseFixtures.lease(number), project, "n" + number));
    }

    static ListLeases listed(ProjectId project, String marker, int limit) {
        return new ListLeases(project, Set.of(), null, SortDirection.ASCENDING, marker, limit);
    }

    List<LeaseView> all(ProjectId project) {
        return everyPage(listed(project, null, 2));
    }

    List<LeaseView> everyPage(ListLeases first) {
        Page<LeaseView> page = leases.list(first);
        List<LeaseView> all = new ArrayList<>(page.items());
        while (page.next() != null) {
            page = leases.list(first.after(page.next()));
            all.addAll(page.items());
        }
        return all;
    }
}
