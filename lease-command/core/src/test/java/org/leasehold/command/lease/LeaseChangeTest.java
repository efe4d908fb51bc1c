package org.leasehold.command.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.command.lease.ScriptedCalendar.GENERATION;
import static org.leasehold.command.lease.ScriptedCalendar.allocation;

import org.junit.jupiter.api.Test;
import org.leasehold.command.calendar.CalendarRequest.Hold;
import org.leasehold.command.calendar.CalendarRequest.Wanted;
import org.leasehold.command.calendar.Grant;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.LeaseCommand.ChangeLease;
import org.leasehold.lease.LeaseCommand.ConfirmAdjustment;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.LeaseChangeRefused;
import org.leasehold.lease.LeaseEvent.LeaseRenamed;
import org.leasehold.lease.LeaseEvent.LeaseRescheduled;
import org.leasehold.lease.LeaseEvent.ReservationAdjusted;
import org.leasehold.lease.LeaseEvent.ReservationAdjusting;
import org.leasehold.lease.LeaseEvent.ReservationGranted;
import org.leasehold.lease.LeaseRejection.EndInPast;
import org.leasehold.lease.LeaseRejection.KindIsFixed;
import org.leasehold.lease.LeaseRejection.LeaseOver;
import org.leasehold.lease.LeaseRejection.StartAlreadyHappened;
import org.leasehold.lease.LeaseRejection.StartInPast;
import org.leasehold.lease.LeaseRejection.UnknownReservations;
import org.leasehold.lease.LeaseRejection.WrongStatus;
import org.leasehold.lease.ReservationChange;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.Tenure;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** Tests changes of a lease. */
class LeaseChangeTest extends LeaseLifeFixture {

    @Test
    void a_rename_is_accepted_from_pending_to_ended() {
        for (List<LeaseEvent> state :
                List.of(pending(), delayed(), starting(), active(), ending(), ended())) {
            prepare();
            given(state)
                    .at(START)
                    .when(rename("weekly"))
                    .expectEvents(new LeaseRenamed(LEASE, "weekly"));
        }
    }

    @Test
    void an_empty_change_has_no_effect() {
        given(pending()).when(change(null, null, null)).nothing();
    }

    @Test
    void a_prolongation_keeps_the_distance_of_the_announcement_to_the_end() {
        LeasePeriod longer = new LeasePeriod(START, END.plusSeconds(3600));
        given(pending())
                .when(change(null, longer.end(), null))
                .expectEvents(
                        new LeaseRescheduled(LEASE, longer, WARNING.plusSeconds(3600)),
                        granted(longer, 1));
    }

    @Test
    void a_change_of_an_active_lease_claims_the_rest_of_the_window() {
        Instant middle = START.plusSeconds(60);
        given(active()).at(middle).when(change(null, END.plusSeconds(60), null));
        assertThat(((Hold) calendar.requests().getLast()).wanted())
                .extracting(Wanted::period, Wanted::running, Wanted::current)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple(
                                new LeasePeriod(middle, END.plusSeconds(60)),
                                true,
                                List.of(new ResourceId(1))));
    }

    @Test
    void a_change_of_the_window_requests_no_additional_hosts() {
        given(requested(wish(1, 5)), granted(PERIOD, 2))
                .when(change(null, END.plusSeconds(60), null));
        assertThat(((Hold) calendar.requests().getFirst()).wanted().getFirst().demand().maximum())
                .isEqualTo(2);
    }

    @Test
    void a_refused_change_leaves_the_lease_unchanged() {
        calendar.answerNext(new Grant.HoldRefused(List.of(SHORTAGE), 41));
        LeasePeriod longer = new LeasePeriod(START, END.plusSeconds(3600));
        given(active())
                .at(START)
                .when(change(null, longer.end(), null))
                .refused()
                .expectEvents(
                        new LeaseChangeRefused(
                                LEASE, longer, List.of(wish(1, 1)), List.of(SHORTAGE), 41));
    }

    @Test
    void an_active_reservation_grows_by_an_adjustment() {
        given(active())
                .at(START)
                .when(resize(2, 2))
                .expectEvents(
                        changed(2, 2),
                        granted(PERIOD, 2),
                        new ReservationAdjusting(
                                LEASE,
                                new Tenure(RESERVATION, GENERATION + 1),
                                List.of(new ResourceId(2)),
                                List.of()));
    }

    @Test
    void an_active_reservation_shrinks_by_an_adjustment() {
        given(active(2))
                .at(START)
                .when(resize(1, 1))
                .expectEvents(
                        changed(1, 1),
                        granted(PERIOD, 1),
                        new ReservationAdjusting(
                                LEASE,
                                new Tenure(RESERVATION, GENERATION + 1),
                                List.of(),
                                List.of(allocation(2))));
    }

    @Test
    void a_confirmed_adjustment_releases_the_removed_resource() {
        Tenure tenure = new Tenure(RESERVATION, GENERATION + 1);
        given(
                        with(
                                active(2),
                                changed(1, 1),
                                granted(PERIOD, 1),
                                new ReservationAdjusting(
                                        LEASE, tenure, List.of(), List.of(allocation(2)))))
                .at(START)
                .when(new ConfirmAdjustment(LEASE, tenure, Map.of("id", "x")))
                .expectEvents(
                        new ReservationAdjusted(
                                LEASE,
                                RESERVATION,
                                List.of(new ResourceId(2)),
                                Map.of("id", "x"),
                                null));
    }

    @Test
    void a_change_of_the_start_of_an_active_lease_is_rejected() {
        given(active())
                .at(START.plusSeconds(1))
                .when(change(START.plusSeconds(60), null, null))
                .rejected(new StartAlreadyHappened(START));
    }

    @Test
    void a_start_is_not_moved_into_the_past() {
        Instant past = NOW.minusSeconds(60);
        given(pending()).when(change(past, null, null)).rejected(new StartInPast(past, NOW));
    }

    @Test
    void an_end_is_not_moved_into_the_past() {
        Instant later = START.plusSeconds(600);
        Instant past = START.plusSeconds(300);
        given(active())
                .at(later)
                .when(change(null, past, null))
                .rejected(new EndInPast(past, later));
    }

    @Test
    void an_end_moved_into_the_current_minute_is_set_to_a_second_from_now() {
        Instant later = START.plusSeconds(601);
        LeasePeriod rest = new LeasePeriod(START, later.plusSeconds(1));
        given(active())
                .at(later)
                .when(change(null, START.plusSeconds(600), rest.end().minusMillis(500)))
                .expectEvents(
                        new LeaseRescheduled(LEASE, rest, rest.end().minusMillis(500)),
                        new ReservationGranted(
                                LEASE,
                                RESERVATION,
                                new LeasePeriod(later, rest.end()),
                                Duration.ZERO,
                                List.of(allocation(1))));
    }

    @Test
    void a_lease_may_end_now_in_the_minute_of_the_start() {
        Instant now = START.plusSeconds(20);
        LeasePeriod rest = new LeasePeriod(START, now.plusSeconds(1));
        given(active())
                .at(now)
                .when(change(null, START, null))
                .expectEvents(
                        new LeaseRescheduled(LEASE, rest, START),
                        new ReservationGranted(
                                LEASE,
                                RESERVATION,
                                new LeasePeriod(now, rest.end()),
                                Duration.ZERO,
                                List.of(allocation(1))));
    }

    @Test
    void a_lease_does_not_end_at_or_before_a_future_start() {
        Instant now = START.minusSeconds(20);
        given(pending())
                .at(now)
                .when(change(null, START, null))
                .rejected(new EndInPast(START, now));
        Instant minute = START.minusSeconds(60);
        given(pending())
                .at(now)
                .when(change(null, minute, null))
                .rejected(new EndInPast(minute, now));
    }

    @Test
    void a_window_change_of_an_ended_lease_is_rejected() {
        given(ended())
                .at(END)
                .when(change(null, END.plusSeconds(600), null))
                .rejected(new LeaseOver(END));
    }

    @Test
    void unknown_reservations_are_rejected_by_id() {
        given(pending())
                .when(
                        new ChangeLease(
                                LEASE,
                                null,
                                null,
                                null,
                                null,
                                List.of(new ReservationChange(OTHER_LEASES, Map.of()))))
                .rejected(new UnknownReservations(List.of(OTHER_LEASES.toString())));
    }

    @Test
    void a_change_of_the_kind_of_a_reservation_is_rejected() {
        given(pending())
                .when(
                        new ChangeLease(
                                LEASE,
                                null,
                                null,
                                null,
                                null,
                                List.of(
                                        new ReservationChange(
                                                RESERVATION, Map.of("resource_type", "foo")))))
                .rejected(new KindIsFixed(RESERVATION));
    }

    @Test
    void a_window_change_of_a_starting_lease_is_rejected() {
        given(starting())
                .at(START)
                .when(change(null, END.plusSeconds(60), null))
                .rejected(new WrongStatus("Starting", "change"));
    }
}
