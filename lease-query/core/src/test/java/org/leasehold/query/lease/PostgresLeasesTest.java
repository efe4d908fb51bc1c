package org.leasehold.query.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.query.lease.LeaseFixtures.ASTRONOMY;
import static org.leasehold.query.lease.LeaseFixtures.BIOLOGY;
import static org.leasehold.query.lease.LeaseFixtures.NOON;
import static org.leasehold.query.lease.LeaseFixtures.PERIOD;
import static org.leasehold.query.lease.LeaseFixtures.host;
import static org.leasehold.query.lease.LeaseFixtures.hosts;

import org.junit.jupiter.api.Test;
import org.leasehold.lease.EndCause;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.LeaseDeleted;
import org.leasehold.lease.LeaseEvent.LeaseEnded;
import org.leasehold.lease.LeaseEvent.LeaseEnding;
import org.leasehold.lease.LeaseEvent.LeaseRefused;
import org.leasehold.lease.LeaseEvent.LeaseRenamed;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.lease.HistoryEntry;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.readmodel.lease.Leases.HistoryPart;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ReservationId;

import java.util.List;
import java.util.Map;

/** Tests single leases of the read model, and their histories. */
class PostgresLeasesTest extends PostgresLeasesFixture {

    private static final LeaseId LEASE = LeaseFixtures.lease(1);
    private static final ReservationId RESERVATION = LeaseFixtures.reservation(1);

    @Test
    void a_stored_lease_equals_the_fold_of_the_events() {
        LeaseEvent requested =
                LeaseFixtures.requested(LEASE, ASTRONOMY, "night", hosts(RESERVATION, 1, 2));
        LeaseEvent granted = LeaseFixtures.granted(LEASE, RESERVATION, host(1), host(2));
        LeaseEvent renamed = new LeaseRenamed(LEASE, "day");

        journal.append(NOON, requested, granted);
        journal.append(NOON.plusSeconds(60), renamed);

        LeaseView accepted = LeaseFold.apply(LeaseFold.apply(null, requested, NOON), granted, NOON);
        assertThat(leases.find(LEASE, null))
                .contains(LeaseFold.apply(accepted, renamed, NOON.plusSeconds(60)));
    }

    @Test
    void a_lease_is_hidden_from_other_projects() {
        journal.append(NOON, LeaseFixtures.requested(LEASE, ASTRONOMY, "night"));

        assertThat(leases.find(LEASE, ASTRONOMY)).isPresent();
        assertThat(leases.find(LEASE, null)).isPresent();
        assertThat(leases.find(LEASE, BIOLOGY)).isEmpty();
        assertThat(leases.find(LeaseFixtures.lease(2), ASTRONOMY)).isEmpty();
    }

    @Test
    void a_written_lease_is_returned_once_without_reading_the_table() {
        journal.append(NOON, LeaseFixtures.requested(LEASE, ASTRONOMY, "night"));
        LeaseView stored = leases.find(LEASE, ASTRONOMY).orElseThrow();
        database.jdbc().update("DELETE FROM lease");

        assertThat(leases.findWritten(LEASE, ASTRONOMY)).contains(stored);
        assertThat(leases.findWritten(LEASE, ASTRONOMY)).isEmpty();
    }

    @Test
    void a_written_lease_is_hidden_from_other_projects_and_after_deletion() {
        journal.append(NOON, LeaseFixtures.requested(LEASE, ASTRONOMY, "night"));
        journal.append(NOON, LeaseFixtures.requested(LeaseFixtures.lease(2), ASTRONOMY, "day"));
        journal.append(NOON.plusSeconds(60), new LeaseDeleted(LeaseFixtures.lease(2)));

        assertThat(leases.findWritten(LEASE, BIOLOGY)).isEmpty();
        assertThat(leases.findWritten(LeaseFixtures.lease(2), ASTRONOMY)).isEmpty();
    }

    @Test
    void a_rolled_back_write_returns_no_written_lease() {
        database.transactions()
                .executeWithoutResult(
                        transaction -> {
                            journal.append(
                                    NOON, LeaseFixtures.requested(LEASE, ASTRONOMY, "night"));
                            transaction.setRollbackOnly();
                        });

        assertThat(leases.findWritten(LEASE, ASTRONOMY)).isEmpty();
    }

    @Test
    void a_refused_lease_is_not_found_but_has_a_history() {
        journal.append(NOON, refused());

        assertThat(leases.find(LEASE, null)).isEmpty();
        assertThat(leases.history(LEASE, ASTRONOMY))
                .extracting(HistoryEntry::type)
                .containsExactly("LeaseRefused");
    }

    @Test
    void a_deleted_lease_is_not_found_but_has_a_history() {
        journal.append(NOON, LeaseFixtures.requested(LEASE, ASTRONOMY, "night"));
        journal.append(
                NOON.plusSeconds(60),
                new LeaseEnding(LEASE, EndCause.DELETED, List.of()),
                new LeaseEnded(LEASE, EndCause.DELETED),
                new LeaseDeleted(LEASE));

        assertThat(leases.find(LEASE, ASTRONOMY)).isEmpty();
        assertThat(all(null)).isEmpty();
        assertThat(leases.history(LEASE, ASTRONOMY))
                .extracting(HistoryEntry::type)
                .containsExactly("LeaseRequested", "LeaseEnding", "LeaseEnded", "LeaseDeleted");
    }

    @Test
    void a_lease_that_is_made_and_deleted_by_one_command_is_not_found() {
        journal.append(
                NOON, LeaseFixtures.requested(LEASE, ASTRONOMY, "night"), new LeaseDeleted(LEASE));

        assertThat(leases.find(LEASE, ASTRONOMY)).isEmpty();
    }

    @Test
    void a_history_entry_contains_time_caller_reason_and_details() {
        journal.append(
                NOON,
                Map.of(
                        "requestId", "req-1",
                        "user", "ada",
                        "project", "astronomy",
                        "roles", List.of("member", "reader"),
                        "authentication", "basic",
                        "causation", "c-1",
                        "reason", "a comet"),
                LeaseFixtures.requested(LEASE, ASTRONOMY, "night", hosts(RESERVATION, 1, 2)));
        journal.append(NOON.plusSeconds(60), new LeaseRenamed(LEASE, "day"));

        List<HistoryEntry> history = leases.history(LEASE, ASTRONOMY);
        HistoryEntry entry = history.getFirst();
        assertThat(entry.sequence()).isZero();
        assertThat(entry.type()).isEqualTo("LeaseRequested");
        assertThat(entry.user()).isEqualTo("ada");
        assertThat(entry.project()).isEqualTo("astronomy");
        assertThat(entry.roles()).containsExactly("member", "reader");
        assertThat(entry.requestId()).isEqualTo("req-1");
        assertThat(entry.causation()).isEqualTo("c-1");
        assertThat(entry.reason()).isEqualTo("a comet");
        assertThat(entry.details())
                .containsEntry("name", "night")
                .containsEntry("projectId", "astronomy")
                .containsKey("reservations");
        HistoryEntry next = history.get(1);
        assertThat(next.sequence()).isEqualTo(1);
        assertThat(next.position()).isGreaterThan(entry.position());
        assertThat(next.recordedAt()).isEqualTo(NOON.plusSeconds(60));
        assertThat(next.user()).isNull();
        assertThat(next.roles()).isEmpty();
        assertThat(next.details()).containsEntry("name", "day");
    }

    @Test
    void a_history_is_hidden_from_other_projects() {
        journal.append(NOON, LeaseFixtures.requested(LEASE, ASTRONOMY, "night"));

        assertThat(leases.history(LEASE, null)).hasSize(1);
        assertThat(leases.history(LEASE, BIOLOGY)).isEmpty();
        assertThat(leases.history(LeaseFixtures.lease(2), ASTRONOMY)).isEmpty();
    }

    @Test
    void a_history_has_pages() {
        journal.append(NOON, LeaseFixtures.requested(LEASE, ASTRONOMY, "night"));
        for (int i = 1; i < 5; i++) {
            journal.append(NOON.plusSeconds(i), new LeaseRenamed(LEASE, "day " + i));
        }
        List<HistoryEntry> all = leases.history(LEASE, ASTRONOMY);
        long fourth = all.get(3).position();

        Page<HistoryEntry> first =
                leases.history(LEASE, ASTRONOMY, new HistoryPart(null, fourth, 3));
        assertThat(first).isEqualTo(new Page<>(all.subList(0, 3), "2"));
        assertThat(leases.history(LEASE, ASTRONOMY, new HistoryPart(2L, fourth, 3)))
                .isEqualTo(new Page<>(all.subList(3, 4), null));
        assertThat(leases.history(LEASE, BIOLOGY, new HistoryPart(2L, fourth, 3)).items())
                .isEmpty();
    }

    private LeaseEvent refused() {
        return new LeaseRefused(
                LEASE,
                ASTRONOMY,
                LeaseFixtures.ADA,
                "night",
                PERIOD,
                null,
                List.of(hosts(RESERVATION, 9, 9)),
                List.of(),
                7,
                null);
    }
}
