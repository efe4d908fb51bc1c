package org.leasehold.query.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.leasehold.query.lease.LeaseFixtures.ASTRONOMY;
import static org.leasehold.query.lease.LeaseFixtures.BIOLOGY;
import static org.leasehold.query.lease.LeaseFixtures.NOON;
import static org.leasehold.query.lease.LeaseFixtures.PERIOD;
import static org.leasehold.query.lease.LeaseFixtures.host;
import static org.leasehold.query.lease.LeaseFixtures.hosts;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.leasehold.lease.EndCause;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.LeaseActivated;
import org.leasehold.lease.LeaseEvent.LeaseDeleted;
import org.leasehold.lease.LeaseEvent.LeaseEnded;
import org.leasehold.lease.LeaseEvent.LeaseEnding;
import org.leasehold.lease.LeaseEvent.LeaseRefused;
import org.leasehold.lease.LeaseEvent.LeaseRenamed;
import org.leasehold.lease.LeaseEvent.LeaseStarting;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.SortDirection;
import org.leasehold.readmodel.UnknownMarker;
import org.leasehold.readmodel.lease.HistoryEntry;
import org.leasehold.readmodel.lease.LeaseStatus;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.readmodel.lease.Leases;
import org.leasehold.readmodel.lease.Leases.HistoryPart;
import org.leasehold.readmodel.lease.Leases.ListLeases;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;

import tools.jackson.databind.json.JsonMapper;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

class PostgresLeasesTest {

    private static final LeaseId LEASE = LeaseFixtures.lease(1);
    private static final ReservationId RESERVATION = LeaseFixtures.reservation(1);

    private static Database database;

    private final LeaseEventLog journal = new LeaseEventLog(database);
    private final Leases leases = leases(database, journal);

    @BeforeAll
    static void start() {
        database = new Database();
    }

    @AfterAll
    static void stop() {
        database.close();
    }

    @BeforeEach
    void empty() {
        database.empty();
    }

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

    @Test
    void pages_contain_every_lease_once_in_order() {
        // Three leases a second: the marker must distinguish leases of the same instant.
        List<LeaseId> all = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            all.add(LeaseFixtures.lease(i));
            journal.append(
                    NOON.plusSeconds(i / 3),
                    LeaseFixtures.requested(LeaseFixtures.lease(i), ASTRONOMY, "n" + i));
        }

        List<LeaseId> seen = new ArrayList<>();
        String marker = null;
        int pages = 0;
        do {
            Page<LeaseView> page = leases.list(listed(ASTRONOMY, marker, 2));
            page.items().forEach(lease -> seen.add(lease.id()));
            marker = page.next();
            pages++;
        } while (marker != null);

        assertThat(seen).isEqualTo(all);
        assertThat(pages).isEqualTo(5);
    }

    @Test
    void a_lease_that_is_made_between_two_pages_comes_last() {
        append(0, ASTRONOMY);
        append(1, ASTRONOMY);
        Page<LeaseView> first = leases.list(listed(null, null, 1));

        append(2, ASTRONOMY);

        assertThat(leases.list(listed(null, first.next(), 10)).items())
                .extracting(LeaseView::id)
                .containsExactly(LeaseFixtures.lease(1), LeaseFixtures.lease(2));
    }

    @Test
    void a_list_holds_the_leases_of_one_project_or_of_all() {
        append(0, ASTRONOMY);
        append(1, BIOLOGY);
        append(2, ASTRONOMY);

        assertThat(leases.list(listed(ASTRONOMY, null, 10)).items())
                .extracting(LeaseView::id)
                .containsExactly(LeaseFixtures.lease(0), LeaseFixtures.lease(2));
        assertThat(leases.list(listed(null, null, 10)).items()).hasSize(3);
    }

    @Test
    void a_list_holds_the_leases_of_one_status() {
        append(0, ASTRONOMY);
        append(1, ASTRONOMY);
        journal.append(
                NOON.plusSeconds(60),
                new LeaseStarting(LeaseFixtures.lease(1), List.of()),
                new LeaseActivated(LeaseFixtures.lease(1)));

        assertThat(leases.list(listed(LeaseStatus.ACTIVE)).items())
                .extracting(LeaseView::id)
                .containsExactly(LeaseFixtures.lease(1));
        assertThat(leases.list(listed(LeaseStatus.PENDING)).items())
                .extracting(LeaseView::id)
                .containsExactly(LeaseFixtures.lease(0));
    }

    @Test
    void a_malformed_marker_is_rejected() {
        for (String marker : List.of("", "x", "!", "MjAzMA", "MjAzMCAx")) {
            assertThatThrownBy(() -> leases.list(listed(null, marker, 10)))
                    .isInstanceOf(UnknownMarker.class);
        }
    }

    @Test
    void paging_returns_every_lease_in_creation_order() {
        append(1, ASTRONOMY);
        append(0, BIOLOGY);
        append(2, ASTRONOMY);

        assertThat(all(null))
                .extracting(LeaseView::id)
                .containsExactly(
                        LeaseFixtures.lease(0), LeaseFixtures.lease(1), LeaseFixtures.lease(2));
        assertThat(all(ASTRONOMY))
                .extracting(LeaseView::id)
                .containsExactly(LeaseFixtures.lease(1), LeaseFixtures.lease(2));
    }

    @Test
    void a_descending_list_pages_from_newest_to_oldest() {
        List<LeaseId> all = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            all.addFirst(LeaseFixtures.lease(i));
            journal.append(
                    NOON.plusSeconds(i / 3),
                    LeaseFixtures.requested(LeaseFixtures.lease(i), ASTRONOMY, "n" + i));
        }
        assertThat(
                        everyPage(
                                new ListLeases(
                                        ASTRONOMY,
                                        Set.of(),
                                        null,
                                        SortDirection.DESCENDING,
                                        null,
                                        2)))
                .extracting(LeaseView::id)
                .isEqualTo(all);
    }

    @Test
    void a_lease_id_is_a_valid_marker_even_after_the_deletion() {
        append(0, ASTRONOMY);
        append(1, BIOLOGY);
        append(2, ASTRONOMY);
        String last = LeaseFixtures.lease(0).toString();
        assertThat(leases.list(listed(ASTRONOMY, last, 10)).items())
                .extracting(LeaseView::id)
                .containsExactly(LeaseFixtures.lease(2));

        journal.append(
                NOON.plusSeconds(60),
                new LeaseEnding(LeaseFixtures.lease(0), EndCause.DELETED, List.of()),
                new LeaseEnded(LeaseFixtures.lease(0), EndCause.DELETED),
                new LeaseDeleted(LeaseFixtures.lease(0)));
        assertThat(leases.list(listed(ASTRONOMY, last, 10)).items())
                .extracting(LeaseView::id)
                .containsExactly(LeaseFixtures.lease(2));
    }

    @Test
    void a_foreign_or_unknown_lease_id_is_rejected_as_a_marker() {
        append(0, BIOLOGY);
        for (LeaseId id : List.of(LeaseFixtures.lease(0), LeaseFixtures.lease(9))) {
            assertThatThrownBy(() -> leases.list(listed(ASTRONOMY, id.toString(), 10)))
                    .isInstanceOf(UnknownMarker.class);
        }
    }

    @Test
    void a_list_filters_by_one_name_and_several_statuses() {
        append(0, ASTRONOMY);
        append(1, ASTRONOMY);
        journal.append(NOON.plusSeconds(60), new LeaseStarting(LeaseFixtures.lease(1), List.of()));
        assertThat(
                        everyPage(
                                new ListLeases(
                                        null,
                                        Set.of(LeaseStatus.PENDING, LeaseStatus.STARTING),
                                        "n1",
                                        SortDirection.ASCENDING,
                                        null,
                                        1)))
                .extracting(LeaseView::id)
                .containsExactly(LeaseFixtures.lease(1));
    }

    private static ListLeases listed(ProjectId project, String marker, int limit) {
        return new ListLeases(project, Set.of(), null, SortDirection.ASCENDING, marker, limit);
    }

    private static ListLeases listed(LeaseStatus status) {
        return new ListLeases(null, Set.of(status), null, SortDirection.ASCENDING, null, 10);
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

    private void append(int number, ProjectId project) {
        Instant when = NOON.plusSeconds(number);
        journal.append(
                when, LeaseFixtures.requested(LeaseFixtures.lease(number), project, "n" + number));
    }

    private List<LeaseView> all(ProjectId project) {
        return everyPage(listed(project, null, 2));
    }

    private List<LeaseView> everyPage(ListLeases first) {
        Page<LeaseView> page = leases.list(first);
        List<LeaseView> all = new ArrayList<>(page.items());
        while (page.next() != null) {
            page = leases.list(first.after(page.next()));
            all.addAll(page.items());
        }
        return all;
    }
}
