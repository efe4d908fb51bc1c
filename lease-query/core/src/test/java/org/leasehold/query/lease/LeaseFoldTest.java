package org.leasehold.query.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.leasehold.query.lease.LeaseFixtures.ADA;
import static org.leasehold.query.lease.LeaseFixtures.ASTRONOMY;
import static org.leasehold.query.lease.LeaseFixtures.BEFORE_END;
import static org.leasehold.query.lease.LeaseFixtures.NOON;
import static org.leasehold.query.lease.LeaseFixtures.PERIOD;
import static org.leasehold.query.lease.LeaseFixtures.host;
import static org.leasehold.readmodel.lease.ScheduledEventView.Type.BEFORE_END_LEASE;
import static org.leasehold.readmodel.lease.ScheduledEventView.Type.END_LEASE;
import static org.leasehold.readmodel.lease.ScheduledEventView.Type.START_LEASE;

import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.LeaseDeleted;
import org.leasehold.lease.LeaseEvent.LeaseImported;
import org.leasehold.lease.LeaseEvent.ReservationActivated;
import org.leasehold.lease.LeaseEvent.ResourceReplaced;
import org.leasehold.lease.LeasePast;
import org.leasehold.readmodel.lease.LeaseStatus;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.readmodel.lease.ReservationView;
import org.leasehold.readmodel.lease.ScheduledEventView;
import org.leasehold.vocabulary.Tenure;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Tests the state of a lease after the events. This class inherits the tests of all states: at the
 * end, each event has been part of a test.
 */
class LeaseFoldTest extends LeaseRetryFolds {

    @AfterAll
    static void every_event_has_been_folded() {
        assertThat(SEEN).containsAll(List.of(LeaseEvent.class.getPermittedSubclasses()));
    }

    @Test
    void an_imported_lease_keeps_the_state_of_the_other_service() {
        Instant made = NOON.minusSeconds(86_400);
        Instant changed = NOON.minusSeconds(3_600);
        UUID step = new UUID(7, 7);
        LeasePast past =
                new LeasePast(
                        LeasePast.Stage.FAILED,
                        "It was in error.",
                        List.of(
                                new LeasePast.OfReservation(
                                        FIRST,
                                        LeasePast.Stage.ACTIVE,
                                        Map.of("aggregate_id", 7),
                                        false,
                                        true,
                                        made,
                                        changed),
                                new LeasePast.OfReservation(
                                        SECOND,
                                        LeasePast.Stage.FAILED,
                                        null,
                                        true,
                                        false,
                                        made,
                                        null)),
                        List.of(
                                new LeasePast.OfStep(
                                        LeasePast.OfStep.Step.START,
                                        step,
                                        LeasePast.OfStep.Status.ERROR,
                                        made,
                                        changed)),
                        made,
                        changed);
        LeaseView lease =
                after(
                        join(
                                ACCEPTED,
                                new LeaseImported(LEASE, past, List.of(new Tenure(FIRST, 1)))));

        assertThat(lease.status()).isEqualTo(LeaseStatus.ERROR);
        assertThat(lease.explanation()).isEqualTo("It was in error.");
        assertThat(lease.createdAt()).isEqualTo(made);
        assertThat(lease.updatedAt()).isEqualTo(changed);
        assertThat(lease.version()).isEqualTo(4);
        assertThat(lease.degraded()).isTrue();
        assertThat(lease.reservations())
                .extracting(
                        ReservationView::status,
                        ReservationView::cloudIds,
                        ReservationView::missingResources,
                        ReservationView::resourcesChanged,
                        ReservationView::createdAt,
                        ReservationView::updatedAt)
                .containsExactly(
                        tuple(
                                ReservationView.Status.ACTIVE,
                                Map.of("aggregate_id", 7),
                                false,
                                true,
                                made,
                                changed),
                        tuple(ReservationView.Status.ERROR, null, true, false, made, null));
        assertThat(lease.reservations().getFirst().allocations()).hasSize(2);
        assertThat(lease.scheduledEvents().getFirst())
                .isEqualTo(
                        new ScheduledEventView(
                                step,
                                ScheduledEventView.Type.START_LEASE,
                                PERIOD.start(),
                                ScheduledEventView.Status.ERROR,
                                made,
                                changed));
    }

    @Test
    void an_accepted_lease_is_pending_and_has_not_changed() {
        LeaseView lease = after(ACCEPTED);

        assertThat(lease.id()).isEqualTo(LEASE);
        assertThat(lease.projectId()).isEqualTo(ASTRONOMY);
        assertThat(lease.userId()).isEqualTo(ADA);
        assertThat(lease.name()).isEqualTo("night");
        assertThat(lease.status()).isEqualTo(LeaseStatus.PENDING);
        assertThat(lease.period()).isEqualTo(PERIOD);
        assertThat(lease.beforeEnd()).isEqualTo(BEFORE_END);
        assertThat(lease.explanation()).isNull();
        assertThat(lease.createdAt()).isEqualTo(NOON);
        assertThat(lease.updatedAt()).isNull();
        assertThat(lease.version()).isEqualTo(3);
        assertThat(lease.degraded()).isFalse();
    }

    @Test
    void an_accepted_reservation_shows_the_request_and_the_grant() {
        ReservationView reservation = reservation(after(ACCEPTED), FIRST);

        assertThat(reservation.status()).isEqualTo(ReservationView.Status.PENDING);
        assertThat(reservation.parameters()).containsEntry("min", 1).containsEntry("max", 2);
        assertThat(reservation.allocations()).containsExactly(host(1), host(2));
        assertThat(reservation.createdAt()).isEqualTo(NOON);
        assertThat(reservation.updatedAt()).isNull();
    }

    @Test
    void a_lease_has_scheduled_events_for_start_announcement_and_end() {
        LeaseView lease = after(ACCEPTED);

        assertThat(lease.scheduledEvents())
                .extracting(
                        ScheduledEventView::type,
                        ScheduledEventView::time,
                        ScheduledEventView::status,
                        ScheduledEventView::updatedAt)
                .containsExactly(
                        row(START_LEASE, PERIOD.start()),
                        row(BEFORE_END_LEASE, BEFORE_END),
                        row(END_LEASE, PERIOD.end()));
        assertThat(lease.scheduledEvents())
                .extracting(ScheduledEventView::id)
                .doesNotHaveDuplicates();
    }

    @Test
    void a_scheduled_event_keeps_the_same_id() {
        assertThat(after(RUNNING).scheduledEvents())
                .extracting(ScheduledEventView::id)
                .isEqualTo(
                        after(ACCEPTED).scheduledEvents().stream()
                                .map(ScheduledEventView::id)
                                .toList());
    }

    @Test
    void a_lease_without_an_announcement_has_two_scheduled_events() {
        LeaseEvent silent =
                new LeaseEvent.LeaseRequested(
                        LEASE, ASTRONOMY, ADA, "night", PERIOD, null, List.of(), null);

        assertThat(after(silent).scheduledEvents())
                .extracting(ScheduledEventView::type)
                .containsExactly(START_LEASE, END_LEASE);
    }

    @Test
    void a_refused_lease_is_not_visible() {
        assertThat(fold(refusal())).isNull();
    }

    @Test
    void a_view_truncates_times_to_microseconds() {
        LeaseView lease = LeaseFold.apply(null, REQUESTED, NOON.plusNanos(1_999));

        assertThat(lease.createdAt()).isEqualTo(NOON.plusNanos(1_000));
    }

    @Test
    void an_inconsistent_event_is_rejected() {
        LeaseView lease = after(ACCEPTED);

        assertThatThrownBy(() -> LeaseFold.apply(null, ACTIVATED, NOON))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> LeaseFold.apply(null, new LeaseDeleted(LEASE), NOON))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> LeaseFold.apply(lease, REQUESTED, NOON))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(
                        () ->
                                LeaseFold.apply(
                                        lease,
                                        new ReservationActivated(
                                                LEASE, LeaseFixtures.reservation(9)),
                                        NOON))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(
                        () ->
                                LeaseFold.apply(
                                        lease,
                                        new ResourceReplaced(
                                                LEASE, FIRST, host(7).resource(), host(8), ""),
                                        NOON))
                .isInstanceOf(IllegalStateException.class);
    }

    private static Tuple row(ScheduledEventView.Type type, Instant time) {
        return tuple(type, time, ScheduledEventView.Status.UNDONE, null);
    }
}
