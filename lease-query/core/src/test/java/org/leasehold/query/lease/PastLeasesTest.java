package org.leasehold.query.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.query.lease.LeaseFixtures.ADA;
import static org.leasehold.query.lease.LeaseFixtures.ASTRONOMY;
import static org.leasehold.query.lease.LeaseFixtures.BIOLOGY;
import static org.leasehold.query.lease.LeaseFixtures.PERIOD;

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
import org.leasehold.lease.LeaseEvent.ReservationAdjusting;
import org.leasehold.lease.LeaseEvent.ReservationFailed;
import org.leasehold.readmodel.SortDirection;
import org.leasehold.readmodel.lease.LeaseStatus;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.Tenure;

import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.SplittableRandom;

/** A test of lists of past leases. */
class PastLeasesTest extends PastLeasesFixture {

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

    private static List<LeaseEvent> and(List<LeaseEvent> before, LeaseEvent... after) {
        List<LeaseEvent> all = new ArrayList<>(before);
        all.addAll(List.of(after));
        return all;
    }
}
