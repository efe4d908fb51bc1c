package org.leasehold.command.lease;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.command.calendar.CalendarRequest.Nothing;
import org.leasehold.command.calendar.CalendarRequest.Shorten;
import org.leasehold.lease.Action;
import org.leasehold.lease.EndCause;
import org.leasehold.lease.LeaseCommand.AnnounceEnd;
import org.leasehold.lease.LeaseCommand.ConfirmRelease;
import org.leasehold.lease.LeaseCommand.EndLease;
import org.leasehold.lease.LeaseCommand.ForceEnd;
import org.leasehold.lease.LeaseCommand.RetryLease;
import org.leasehold.lease.LeaseEvent.LeaseEndAnnounced;
import org.leasehold.lease.LeaseEvent.LeaseEnded;
import org.leasehold.lease.LeaseEvent.LeaseEnding;
import org.leasehold.lease.LeaseEvent.LeaseRescheduled;
import org.leasehold.lease.LeaseEvent.ReservationReleased;
import org.leasehold.vocabulary.LeasePeriod;

import java.time.Instant;
import java.util.List;

/** Tests the end of a lease. */
class LeaseEndTest extends LeaseLifeFixture {

    @Test
    void the_end_is_announced_once() {
        given(active())
                .at(WARNING)
                .when(new AnnounceEnd(LEASE))
                .expectEvents(new LeaseEndAnnounced(LEASE));
        prepare();
        given(with(active(), new LeaseEndAnnounced(LEASE)))
                .at(WARNING)
                .when(new AnnounceEnd(LEASE))
                .nothing();
    }

    @Test
    void a_prolonged_lease_announces_the_new_end() {
        Instant next = END.plusSeconds(60);
        given(
                        with(
                                active(),
                                new LeaseEndAnnounced(LEASE),
                                new LeaseRescheduled(
                                        LEASE, new LeasePeriod(START, next.plusSeconds(60)), next)))
                .at(next)
                .when(new AnnounceEnd(LEASE))
                .expectEvents(new LeaseEndAnnounced(LEASE));
    }

    @Test
    void an_end_on_time_does_not_change_the_calendar() {
        given(active())
                .at(END)
                .when(new EndLease(LEASE, EndCause.WINDOW_OVER))
                .expectEvents(new LeaseEnding(LEASE, EndCause.WINDOW_OVER, List.of(TENURE)));
        assertThat(calendar.requests().getLast()).isEqualTo(new Nothing());
    }

    @Test
    void a_lease_does_not_end_before_the_end_date() {
        given(active())
                .at(END.minusMillis(1))
                .when(new EndLease(LEASE, EndCause.WINDOW_OVER))
                .nothing();
    }

    @Test
    void a_requested_end_shortens_the_claims_at_once() {
        given(active())
                .at(START)
                .when(new EndLease(LEASE, EndCause.REQUESTED))
                .expectEvents(new LeaseEnding(LEASE, EndCause.REQUESTED, List.of(TENURE)));
        assertThat(calendar.requests().getLast())
                .isEqualTo(new Shorten(LEASE, List.of(RESERVATION), START));
    }

    @Test
    void a_lease_that_misses_the_window_ends_as_missed() {
        given(pending())
                .at(END)
                .when(new EndLease(LEASE, EndCause.WINDOW_OVER))
                .expectEvents(
                        new LeaseEnding(LEASE, EndCause.MISSED, List.of()),
                        new ReservationReleased(LEASE, RESERVATION),
                        new LeaseEnded(LEASE, EndCause.MISSED));
    }

    @Test
    void a_failed_lease_ends_at_the_end_date() {
        given(with(starting(), failed(Action.START, "no such host")))
                .at(END)
                .when(new EndLease(LEASE, EndCause.WINDOW_OVER))
                .expectEvents(new LeaseEnding(LEASE, EndCause.WINDOW_OVER, List.of(TENURE)));
    }

    @Test
    void a_confirmed_release_ends_the_lease() {
        given(ending())
                .at(END)
                .when(new ConfirmRelease(LEASE, TENURE))
                .expectEvents(
                        new ReservationReleased(LEASE, RESERVATION),
                        new LeaseEnded(LEASE, EndCause.WINDOW_OVER));
    }

    @Test
    void a_repeated_confirmation_of_a_release_has_no_effect() {
        given(ended()).at(END).when(new ConfirmRelease(LEASE, TENURE)).nothing();
    }

    @Test
    void a_retry_repeats_a_failed_end() {
        given(with(ending(), failed(Action.END, "locked")))
                .at(END)
                .when(new RetryLease(LEASE))
                .expectEvents(new LeaseEnding(LEASE, EndCause.WINDOW_OVER, List.of(TENURE)));
    }

    @Test
    void a_forced_end_completes_a_failed_end() {
        given(with(ending(), failed(Action.END, "locked")))
                .at(END)
                .when(new ForceEnd(LEASE))
                .expectEvents(
                        new ReservationReleased(LEASE, RESERVATION),
                        new LeaseEnded(LEASE, EndCause.FORCED));
    }
}
