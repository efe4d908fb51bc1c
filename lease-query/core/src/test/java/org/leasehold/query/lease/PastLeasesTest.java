package org.leasehold.query.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.leasehold.query.lease.LeaseFixtures.ADA;
import static org.leasehold.query.lease.LeaseFixtures.ASTRONOMY;
import static org.leasehold.query.lease.LeaseFixtures.BIOLOGY;
import static org.leasehold.query.lease.LeaseFixtures.NOON;
import static org.leasehold.query.lease.LeaseFixtures.PERIOD;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.leasehold.lease.Action;
import org.leasehold.lease.EndCause;
import org.leasehold.lease.Fault;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.LeaseActivated;
import org.leasehold.lease.LeaseEvent.LeaseDelayed;
import org.leasehold.lease.LeaseEvent.LeaseDeleted;
import org.leasehold.lease.LeaseEvent.LeaseEnded;
import org.leasehold.lease.LeaseEvent.LeaseEnding;
import org.leasehold.lease.LeaseEvent.LeaseRefused;
import org.leasehold.lease.LeaseEvent.LeaseRenamed;
import org.leasehold.lease.LeaseEvent.LeaseStarting;
import org.leasehold.lease.LeaseEvent.ReservationActivated;
import org.leasehold.lease.LeaseEvent.ReservationAdjusting;
import org.leasehold.lease.LeaseEvent.ReservationFailed;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.SortDirection;
import org.leasehold.readmodel.UnknownMarker;
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
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/** A test of lists of past leases. */
class PastLeasesTest extends PostgresLeasesFixture {

    private final EventLogPositions positions =
            new PostgresEventLogPositions(JdbcClient.create(database.dataSource()));

    /** Fills the read model of entries, as far as requests need it. */
    private void enter() {
        database.jdbc()
                .update(
                        """
                        INSERT INTO event_entry
                        SELECT position, event_id, payload ->> 'projectId', position, stream_type,
                            stream_id, sequence, event_type, NULL, NULL, NULL, recorded_at
                        FROM domain_event WHERE event_type IN ('LeaseRequested', 'LeaseRefused')
                        """);
    }

    private static Instant second(long second) {
        return NOON.plusSeconds(second);
    }

    private static ListLeases question(
            @Nullable ProjectId project,
            SortDirection direction,
            int limit,
            LeaseStatus... statuses) {
        return new ListLeases(project, Set.of(statuses), null, direction, null, limit);
    }

    /** Returns all pages. */
    private List<LeaseView> asOf(ListLeases question, long position) {
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

    @Test
    void a_past_list_equals_the_list_at_that_instant() {
        SplittableRandom random = new SplittableRandom(7);
        List<Instant> times = new ArrayList<>();
        List<List<LeaseView>> listed = new ArrayList<>();
        List<List<LeaseView>> active = new ArrayList<>();
        for (int i = 1; i <= 60; i++) {
            happen(random, i);
            times.add(second(i));
            listed.add(leases.list(question(ASTRONOMY, SortDirection.ASCENDING, 1000)).items());
            active.add(
                    leases.list(question(null, SortDirection.DESCENDING, 1000, LeaseStatus.ACTIVE))
                            .items());
        }
        enter();

        for (int i = 0; i < times.size(); i++) {
            long position = positions.at(times.get(i));
            assertThat(asOf(question(ASTRONOMY, SortDirection.ASCENDING, 3), position))
                    .isEqualTo(listed.get(i));
            assertThat(
                            asOf(
                                    question(null, SortDirection.DESCENDING, 2, LeaseStatus.ACTIVE),
                                    position))
                    .isEqualTo(active.get(i));
        }
        assertThat(active)
                .anySatisfy(leasesAtInstant -> assertThat(leasesAtInstant.size()).isGreaterThan(2));
    }

    /** Requests one lease, and continues another one. */
    private void happen(SplittableRandom random, int number) {
        LeaseId lease = LeaseFixtures.lease(number);
        ProjectId project = random.nextInt(3) == 0 ? BIOLOGY : ASTRONOMY;
        if (random.nextInt(5) == 0) {
            journal.append(
                    second(number),
                    new LeaseRefused(
                            lease, project, ADA, "x", PERIOD, null, List.of(), List.of(), 0, null));
        } else {
            journal.append(
                    second(number), LeaseFixtures.requested(lease, project, "lease " + number));
        }
        LeaseId other = LeaseFixtures.lease(random.nextInt(1, number + 1));
        leases.find(other, null).ifPresent(view -> goOn(random, view, second(number)));
    }

    private void goOn(SplittableRandom random, LeaseView lease, Instant when) {
        switch (lease.status()) {
            case PENDING ->
                    journal.append(
                            when,
                            new LeaseStarting(lease.id(), List.of()),
                            new LeaseActivated(lease.id()));
            case ACTIVE -> {
                if (random.nextBoolean()) {
                    journal.append(when, new LeaseRenamed(lease.id(), "renamed " + when));
                } else {
                    journal.append(
                            when,
                            new LeaseEnded(lease.id(), EndCause.DELETED),
                            new LeaseDeleted(lease.id()));
                }
            }
            default -> throw new AssertionError(lease);
        }
    }

    @Test
    void a_past_list_omits_leases_of_other_projects() {
        journal.append(
                second(1), LeaseFixtures.requested(LeaseFixtures.lease(1), ASTRONOMY, "night"));
        enter();
        long then = positions.last();

        assertThat(asOf(question(BIOLOGY, SortDirection.ASCENDING, 10), then)).isEmpty();
        assertThat(asOf(question(null, SortDirection.ASCENDING, 10), then)).hasSize(1);
        assertThat(asOf(question(null, SortDirection.ASCENDING, 10), then - 1)).isEmpty();
    }

    @Test
    void a_page_skips_thousands_of_leases_of_another_status() {
        requestedOften(2100);
        LeaseId last = LeaseFixtures.lease(2);
        journal.append(
                second(2),
                LeaseFixtures.requested(last, ASTRONOMY, "day"),
                new LeaseStarting(last, List.of()),
                new LeaseActivated(last));
        enter();
        ListLeases question = question(ASTRONOMY, SortDirection.ASCENDING, 10, LeaseStatus.ACTIVE);

        Page<LeaseView> first = leases.list(question, positions.last());
        assertThat(first.items()).extracting(LeaseView::id).containsExactly(last);
        assertThat(first.next()).isNull();
    }

    @Test
    void a_page_skips_hundreds_of_deleted_leases() {
        for (int i = 1; i <= 300; i++) {
            LeaseId gone = LeaseFixtures.lease(i);
            journal.append(
                    second(i),
                    LeaseFixtures.requested(gone, ASTRONOMY, "night"),
                    new LeaseEnded(gone, EndCause.DELETED),
                    new LeaseDeleted(gone));
        }
        LeaseId last = LeaseFixtures.lease(301);
        journal.append(second(301), LeaseFixtures.requested(last, ASTRONOMY, "day"));
        enter();

        Page<LeaseView> first =
                leases.list(question(null, SortDirection.ASCENDING, 1), positions.last());
        assertThat(first.items()).extracting(LeaseView::id).containsExactly(last);
        assertThat(first.next()).isNull();
    }

    @Test
    void pages_continue_beyond_the_row_limit_of_one_statement() {
        LeaseId first = LeaseFixtures.lease(2);
        activate(1, first);
        requestedOften(20_100);
        LeaseId last = LeaseFixtures.lease(3);
        activate(2, last);
        enter();

        for (SortDirection direction : SortDirection.values()) {
            assertThat(asOf(question(null, direction, 1, LeaseStatus.ACTIVE), positions.last()))
                    .extracting(LeaseView::id)
                    .containsExactlyInAnyOrder(first, last);
        }
    }

    private void activate(long when, LeaseId lease) {
        journal.append(
                second(when),
                LeaseFixtures.requested(lease, ASTRONOMY, "day"),
                new LeaseStarting(lease, List.of()),
                new LeaseActivated(lease));
    }

    /** Requests leases that have no further events. */
    private void requestedOften(int times) {
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

    @Test
    void a_past_list_finds_granted_leases_of_every_status() {
        ReservationId reservation = LeaseFixtures.reservation(1);
        Fault fault = new Fault(Fault.Kind.DENIED, "not ours");
        for (int i = 1; i <= 11; i++) {
            LeaseId id = LeaseFixtures.lease(i);
            List<LeaseEvent> life = new ArrayList<>();
            life.add(
                    LeaseFixtures.requested(
                            id, ASTRONOMY, "l", LeaseFixtures.hosts(reservation, 1, 1)));
            life.add(LeaseFixtures.granted(id, reservation, LeaseFixtures.host(1)));
            Tenure tenure = new Tenure(reservation, 1);
            life.addAll(
                    switch (i) {
                        case 1 -> List.of();
                        case 2 -> List.of(new LeaseDelayed(id, List.of(), "taken"));
                        case 3 -> List.of(new LeaseStarting(id, List.of(tenure)));
                        case 4 -> active(id, reservation);
                        case 5 ->
                                List.of(
                                        new LeaseStarting(id, List.of(tenure)),
                                        new ReservationFailed(
                                                id, reservation, Action.START, fault));
                        case 6 ->
                                and(
                                        active(id, reservation),
                                        new ReservationFailed(
                                                id, reservation, Action.BEFORE_END, fault));
                        case 7 ->
                                and(
                                        active(id, reservation),
                                        new ReservationFailed(
                                                id, reservation, Action.ADJUST, fault),
                                        new ReservationAdjusting(id, tenure, List.of(), List.of()));
                        case 8 ->
                                and(
                                        active(id, reservation),
                                        new LeaseEnding(id, EndCause.REQUESTED, List.of()));
                        case 9 ->
                                and(
                                        active(id, reservation),
                                        new LeaseEnding(id, EndCause.DELETED, List.of()));
                        case 10 ->
                                and(
                                        active(id, reservation),
                                        new LeaseEnding(id, EndCause.DELETED, List.of()),
                                        new LeaseEnded(id, EndCause.DELETED));
                        default ->
                                and(
                                        active(id, reservation),
                                        new LeaseEnding(id, EndCause.WINDOW_OVER, List.of()),
                                        new LeaseEnded(id, EndCause.WINDOW_OVER));
                    });
            journal.append(second(i), life.toArray(LeaseEvent[]::new));
        }
        enter();

        // A list of the past has the leases that were granted by then.
        for (LeaseStatus status : EnumSet.complementOf(EnumSet.of(LeaseStatus.RETRYING))) {
            List<LeaseView> now =
                    leases.list(question(null, SortDirection.ASCENDING, 100, status)).items();
            assertThat(now).as(status.name()).isNotEmpty();
            assertThat(asOf(question(null, SortDirection.ASCENDING, 100, status), positions.last()))
                    .as(status.name())
                    .isEqualTo(now);
        }
    }

    private static List<LeaseEvent> active(LeaseId id, ReservationId reservation) {
        return List.of(
                new LeaseStarting(id, List.of(new Tenure(reservation, 1))),
                new ReservationActivated(id, reservation, Map.of(), null),
                new LeaseActivated(id));
    }

    private static List<LeaseEvent> and(List<LeaseEvent> before, LeaseEvent... after) {
        List<LeaseEvent> all = new ArrayList<>(before);
        all.addAll(List.of(after));
        return all;
    }

    @Test
    void an_unknown_marker_is_rejected() {
        ListLeases question = question(null, SortDirection.ASCENDING, 10).after("nonsense");

        assertThatThrownBy(() -> leases.list(question, 1)).isInstanceOf(UnknownMarker.class);
    }
}
