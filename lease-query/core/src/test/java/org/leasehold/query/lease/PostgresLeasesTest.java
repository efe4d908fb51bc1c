package org.leasehold.query.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.leasehold.query.lease.Lives.ASTRONOMY;
import static org.leasehold.query.lease.Lives.BIOLOGY;
import static org.leasehold.query.lease.Lives.NOON;
import static org.leasehold.query.lease.Lives.PERIOD;
import static org.leasehold.query.lease.Lives.host;
import static org.leasehold.query.lease.Lives.hosts;

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
import org.leasehold.lease.LeaseId;
import org.leasehold.lease.ProjectId;
import org.leasehold.lease.ReservationId;
import org.leasehold.query.Direction;
import org.leasehold.query.HistoryEntry;
import org.leasehold.query.LeaseStatus;
import org.leasehold.query.LeaseView;
import org.leasehold.query.Leases;
import org.leasehold.query.Leases.ListLeases;
import org.leasehold.query.Page;
import org.leasehold.query.UnknownMarker;

import tools.jackson.databind.json.JsonMapper;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

class PostgresLeasesTest {

    private static final LeaseId LEASE = Lives.lease(1);
    private static final ReservationId RESERVATION = Lives.reservation(1);

    private static Database database;

    private final Journal journal = new Journal(database);
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
    void a_lease_is_found_as_it_was_folded() {
        LeaseEvent requested = Lives.requested(LEASE, ASTRONOMY, "night", hosts(RESERVATION, 1, 2));
        LeaseEvent granted = Lives.granted(LEASE, RESERVATION, host(1), host(2));
        LeaseEvent renamed = new LeaseRenamed(LEASE, "day");

        journal.append(NOON, requested, granted);
        journal.append(NOON.plusSeconds(60), renamed);

        LeaseView accepted = LeaseFold.apply(LeaseFold.apply(null, requested, NOON), granted, NOON);
        assertThat(leases.find(LEASE, null))
                .contains(LeaseFold.apply(accepted, renamed, NOON.plusSeconds(60)));
    }

    @Test
    void a_lease_is_found_by_its_own_project_only() {
        journal.append(NOON, Lives.requested(LEASE, ASTRONOMY, "night"));

        assertThat(leases.find(LEASE, ASTRONOMY)).isPresent();
        assertThat(leases.find(LEASE, null)).isPresent();
        assertThat(leases.find(LEASE, BIOLOGY)).isEmpty();
        assertThat(leases.find(Lives.lease(2), ASTRONOMY)).isEmpty();
    }

    @Test
    void who_has_had_a_lease_written_is_given_it_once_without_a_look_at_the_table() {
        journal.append(NOON, Lives.requested(LEASE, ASTRONOMY, "night"));
        LeaseView stored = leases.find(LEASE, ASTRONOMY).orElseThrow();
        database.jdbc().update("DELETE FROM lease");

        assertThat(leases.findWritten(LEASE, ASTRONOMY)).contains(stored);
        assertThat(leases.findWritten(LEASE, ASTRONOMY)).isEmpty();
    }

    @Test
    void nobody_is_given_what_was_written_for_another_project_or_is_gone() {
        journal.append(NOON, Lives.requested(LEASE, ASTRONOMY, "night"));
        journal.append(NOON, Lives.requested(Lives.lease(2), ASTRONOMY, "day"));
        journal.append(NOON.plusSeconds(60), new LeaseDeleted(Lives.lease(2)));

        assertThat(leases.findWritten(LEASE, BIOLOGY)).isEmpty();
        assertThat(leases.findWritten(Lives.lease(2), ASTRONOMY)).isEmpty();
    }

    @Test
    void nobody_is_given_what_was_written_in_vain() {
        database.transactions()
                .executeWithoutResult(
                        transaction -> {
                            journal.append(NOON, Lives.requested(LEASE, ASTRONOMY, "night"));
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
        journal.append(NOON, Lives.requested(LEASE, ASTRONOMY, "night"));
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
        journal.append(NOON, Lives.requested(LEASE, ASTRONOMY, "night"), new LeaseDeleted(LEASE));

        assertThat(leases.find(LEASE, ASTRONOMY)).isEmpty();
    }

    @Test
    void an_entry_of_the_history_tells_when_who_what_and_why() {
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
                Lives.requested(LEASE, ASTRONOMY, "night", hosts(RESERVATION, 1, 2)));
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
    void a_history_is_its_own_project_s_only() {
        journal.append(NOON, Lives.requested(LEASE, ASTRONOMY, "night"));

        assertThat(leases.history(LEASE, null)).hasSize(1);
        assertThat(leases.history(LEASE, BIOLOGY)).isEmpty();
        assertThat(leases.history(Lives.lease(2), ASTRONOMY)).isEmpty();
    }

    @Test
    void pages_follow_each_other_without_a_gap_and_end() {
        // Three leases a second: the marker must distinguish leases of the same instant.
        List<LeaseId> all = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            all.add(Lives.lease(i));
            journal.append(
                    NOON.plusSeconds(i / 3), Lives.requested(Lives.lease(i), ASTRONOMY, "n" + i));
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
                .containsExactly(Lives.lease(1), Lives.lease(2));
    }

    @Test
    void a_list_holds_the_leases_of_one_project_or_of_all() {
        append(0, ASTRONOMY);
        append(1, BIOLOGY);
        append(2, ASTRONOMY);

        assertThat(leases.list(listed(ASTRONOMY, null, 10)).items())
                .extracting(LeaseView::id)
                .containsExactly(Lives.lease(0), Lives.lease(2));
        assertThat(leases.list(listed(null, null, 10)).items()).hasSize(3);
    }

    @Test
    void a_list_holds_the_leases_of_one_status() {
        append(0, ASTRONOMY);
        append(1, ASTRONOMY);
        journal.append(
                NOON.plusSeconds(60),
                new LeaseStarting(Lives.lease(1), List.of()),
                new LeaseActivated(Lives.lease(1)));

        assertThat(leases.list(listed(LeaseStatus.ACTIVE)).items())
                .extracting(LeaseView::id)
                .containsExactly(Lives.lease(1));
        assertThat(leases.list(listed(LeaseStatus.PENDING)).items())
                .extracting(LeaseView::id)
                .containsExactly(Lives.lease(0));
    }

    @Test
    void what_is_not_a_marker_is_refused() {
        for (String marker : List.of("", "x", "!", "MjAzMA", "MjAzMCAx")) {
            assertThatThrownBy(() -> leases.list(listed(null, marker, 10)))
                    .isInstanceOf(UnknownMarker.class);
        }
    }

    @Test
    void every_lease_is_passed_on_in_order() {
        append(1, ASTRONOMY);
        append(0, BIOLOGY);
        append(2, ASTRONOMY);

        assertThat(all(null))
                .extracting(LeaseView::id)
                .containsExactly(Lives.lease(0), Lives.lease(1), Lives.lease(2));
        assertThat(all(ASTRONOMY))
                .extracting(LeaseView::id)
                .containsExactly(Lives.lease(1), Lives.lease(2));
    }

    @Test
    void the_newest_come_first_when_asked_for_and_go_on_from_page_to_page() {
        List<LeaseId> all = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            all.addFirst(Lives.lease(i));
            journal.append(
                    NOON.plusSeconds(i / 3), Lives.requested(Lives.lease(i), ASTRONOMY, "n" + i));
        }
        assertThat(
                        everyPage(
                                new ListLeases(
                                        ASTRONOMY, Set.of(), null, Direction.DESCENDING, null, 2)))
                .extracting(LeaseView::id)
                .isEqualTo(all);
    }

    @Test
    void a_page_may_follow_a_lease_even_one_that_is_gone() {
        append(0, ASTRONOMY);
        append(1, BIOLOGY);
        append(2, ASTRONOMY);
        String last = Lives.lease(0).toString();
        assertThat(leases.list(listed(ASTRONOMY, last, 10)).items())
                .extracting(LeaseView::id)
                .containsExactly(Lives.lease(2));

        journal.append(
                NOON.plusSeconds(60),
                new LeaseEnding(Lives.lease(0), EndCause.DELETED, List.of()),
                new LeaseEnded(Lives.lease(0), EndCause.DELETED),
                new LeaseDeleted(Lives.lease(0)));
        assertThat(leases.list(listed(ASTRONOMY, last, 10)).items())
                .extracting(LeaseView::id)
                .containsExactly(Lives.lease(2));
    }

    @Test
    void no_page_follows_a_lease_of_another_project_or_one_that_never_was() {
        append(0, BIOLOGY);
        for (LeaseId id : List.of(Lives.lease(0), Lives.lease(9))) {
            assertThatThrownBy(() -> leases.list(listed(ASTRONOMY, id.toString(), 10)))
                    .isInstanceOf(UnknownMarker.class);
        }
    }

    @Test
    void a_list_can_be_of_one_name_and_of_several_statuses() {
        append(0, ASTRONOMY);
        append(1, ASTRONOMY);
        journal.append(NOON.plusSeconds(60), new LeaseStarting(Lives.lease(1), List.of()));
        assertThat(
                        everyPage(
                                new ListLeases(
                                        null,
                                        Set.of(LeaseStatus.PENDING, LeaseStatus.STARTING),
                                        "n1",
                                        Direction.ASCENDING,
                                        null,
                                        1)))
                .extracting(LeaseView::id)
                .containsExactly(Lives.lease(1));
    }

    private static ListLeases listed(ProjectId project, String marker, int limit) {
        return new ListLeases(project, Set.of(), null, Direction.ASCENDING, marker, limit);
    }

    private static ListLeases listed(LeaseStatus status) {
        return new ListLeases(null, Set.of(status), null, Direction.ASCENDING, null, 10);
    }

    static Leases leases(Database database, Journal journal) {
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
                Lives.ADA,
                "night",
                PERIOD,
                null,
                List.of(hosts(RESERVATION, 9, 9)),
                List.of(),
                7);
    }

    private void append(int number, ProjectId project) {
        Instant when = NOON.plusSeconds(number);
        journal.append(when, Lives.requested(Lives.lease(number), project, "n" + number));
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
