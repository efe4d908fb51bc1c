package org.leasehold.query.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.query.lease.LeaseFixtures.ASTRONOMY;
import static org.leasehold.query.lease.LeaseFixtures.NOON;

import org.jspecify.annotations.Nullable;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.LeaseActivated;
import org.leasehold.lease.LeaseEvent.LeaseStarting;
import org.leasehold.lease.LeaseEvent.ReservationActivated;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.SortDirection;
import org.leasehold.readmodel.event.EventLogPositions;
import org.leasehold.readmodel.lease.LeaseStatus;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.readmodel.lease.Leases.ListLeases;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.Tenure;
import org.springframework.jdbc.core.simple.JdbcClient;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Leases of the past, and lists of them as of a position of the event log. */
abstract class PastLeasesFixture extends PostgresLeasesFixture {

    final EventLogPositions positions =
            new PostgresEventLogPositions(JdbcClient.create(database.dataSource()));

    /** Fills the read model of entries, as far as requests need it. */
    void enter() {
        database.jdbc()
                .update(
                        """
                        INSERT INTO event_entry
                        SELECT position, event_id, payload ->> 'projectId', position, stream_type,
                            stream_id, sequence, event_type, NULL, NULL, NULL, recorded_at
                        FROM domain_event WHERE event_type IN ('LeaseRequested', 'LeaseRefused')
                        """);
    }

    static Instant second(long second) {
        return NOON.plusSeconds(second);
    }

    static ListLeases question(
            @Nullable ProjectId project,
            SortDirection direction,
            int limit,
            LeaseStatus... statuses) {
        return new ListLeases(project, Set.of(statuses), null, direction, null, limit);
    }

    /** Returns all pages. */
    List<LeaseView> asOf(ListLeases question, long position) {
        List<LeaseView> all = new ArrayList<>();
        Page<LeaseView> page = leases.list(question, position);
        all.addAll(page.items());
        for (String next = page.next(); next != null; next = page.next()) {
            assertThat(page.items().size()).isLessThanOrEqualTo(question.limit());
            page = leases.list(question.after(next), position);
            all.addAll(page.items());
        }
        return all;
    }

    void activate(long when, LeaseId lease) {
        journal.append(
                second(when),
                LeaseFixtures.requested(lease, ASTRONOMY, "day"),
                new LeaseStarting(lease, List.of()),
                new LeaseActivated(lease));
    }

    /** Requests leases that have no further events. */
    void requestedOften(int times) {
        LeaseId one = LeaseFixtures.lease(1000);
        journal.append(second(1), LeaseFixtures.requested(one, ASTRONOMY, "night"));
        database.jdbc()
                .update(
                        """
                        INSERT INTO domain_event (event_id, stream_type, stream_id, sequence,
                            event_type, event_version, payload, metadata, decided_at, recorded_at)
                        SELECT gen_random_uuid(), stream_type, gen_random_uuid()::text, sequence,
                            event_type, event_version, payload, metadata, decided_at, recorded_at
                        FROM domain_event, generate_series(1, ?) WHERE stream_id = ?
                        """,
                        times,
                        one.toString());
    }

    static List<LeaseEvent> active(LeaseId id, ReservationId reservation) {
        return List.of(
                new LeaseStarting(id, List.of(new Tenure(reservation, 1))),
                new ReservationActivated(id, reservation, Map.of(), null),
                new LeaseActivated(id));
    }
}
