package org.leasehold.command.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.command.lease.ScriptedCalendar.GENERATION;
import static org.leasehold.command.lease.ScriptedCalendar.allocation;

import org.junit.jupiter.api.Test;
import org.leasehold.command.calendar.CalendarRequest.Hold;
import org.leasehold.command.calendar.CalendarRequest.Shorten;
import org.leasehold.command.calendar.CalendarRequest.Wanted;
import org.leasehold.command.calendar.Grant;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.LeaseCommand.ChangeLease;
import org.leasehold.lease.LeaseCommand.StartLease;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.LeaseChangeRefused;
import org.leasehold.lease.LeaseEvent.LeaseDelayed;
import org.leasehold.lease.LeaseEvent.LeaseRenamed;
import org.leasehold.lease.LeaseEvent.LeaseStarting;
import org.leasehold.lease.LeaseEvent.ReservationAdded;
import org.leasehold.lease.LeaseEvent.ReservationAdjusting;
import org.leasehold.vocabulary.Tenure;

import java.util.List;

/** Tests changes that remove reservations from a lease. */
class RemovedReservationTest extends RemovalFixture {

    @Test
    void a_pending_reservation_is_gone_at_once() {
        given(pairGranted())
                .when(remove(NETWORK))
                .expectEvents(removed(NETWORK, null), released(NETWORK));

        assertThat(calendar.requests().getLast())
                .isEqualTo(new Shorten(LEASE, List.of(NETWORK.reservation()), NOW));
    }

    @Test
    void a_reservation_that_is_named_twice_is_removed_once() {
        given(pairGranted())
                .when(remove(NETWORK, NETWORK))
                .expectEvents(removed(NETWORK, null), released(NETWORK));
    }

    @Test
    void an_active_reservation_is_taken_back_with_the_tenure() {
        given(pairActive()).at(START).when(remove(NETWORK)).expectEvents(removed(NETWORK, NETWORK));

        assertThat(calendar.requests().getLast())
                .isEqualTo(new Shorten(LEASE, List.of(NETWORK.reservation()), START));
    }

    @Test
    void a_lease_starts_without_a_removed_reservation() {
        given(with(pairGranted(), removed(NETWORK, null), released(NETWORK)))
                .at(START)
                .when(new StartLease(LEASE))
                .expectEvents(new LeaseStarting(LEASE, List.of(HOST)));
    }

    @Test
    void a_delayed_lease_tries_to_start_with_the_other_reservations() {
        List<LeaseEvent> delayed =
                with(pairGranted(), new LeaseDelayed(LEASE, List.of(OTHER_LEASES), "in use"));
        LeaseEvent again =
                new LeaseDelayed(
                        LEASE, List.of(), "The lease starts without the removed reservations.");
        given(delayed)
                .at(START)
                .when(remove(NETWORK))
                .expectEvents(removed(NETWORK, null), released(NETWORK), again);
        prepare();
        given(with(delayed, removed(NETWORK, null), released(NETWORK), again))
                .at(START)
                .when(new StartLease(LEASE))
                .expectEvents(new LeaseStarting(LEASE, List.of(HOST)));
    }

    @Test
    void one_change_removes_adds_and_renames() {
        ChangeLease exchange =
                new ChangeLease(
                        LEASE,
                        "b",
                        null,
                        null,
                        null,
                        List.of(),
                        List.of(JOINER_WISH),
                        List.of(HOST.reservation()));
        given(pairActive())
                .at(START)
                .when(exchange)
                .expectEvents(
                        new LeaseRenamed(LEASE, "b"),
                        new ReservationAdded(LEASE, JOINER_WISH),
                        removed(HOST, HOST),
                        grant(NETWORK.reservation(), 1),
                        new ReservationAdjusting(
                                LEASE,
                                new Tenure(NETWORK.reservation(), GENERATION + 1),
                                List.of(new ResourceId(1)),
                                List.of(allocation(2))),
                        grant(JOINER, 2),
                        new LeaseStarting(LEASE, List.of(new Tenure(JOINER, GENERATION + 1))));

        Hold hold = (Hold) calendar.requests().getLast();
        assertThat(hold.removal())
                .isEqualTo(new Shorten(LEASE, List.of(HOST.reservation()), START));
        assertThat(hold.wanted())
                .extracting(Wanted::reservation)
                .containsExactly(NETWORK.reservation(), JOINER);
        assertThat(hold.isFresh()).isFalse();
    }

    @Test
    void a_refused_exchange_removes_nothing() {
        calendar.answerNext(new Grant.HoldRefused(List.of(SHORTAGE), 41));
        given(pairGranted())
                .when(exchange(HOST, JOINER_WISH))
                .refused()
                .expectEvents(
                        new LeaseChangeRefused(
                                LEASE,
                                PERIOD,
                                List.of(WISHES.getLast(), JOINER_WISH),
                                List.of(SHORTAGE),
                                41));
    }

    @Test
    void all_reservations_can_be_exchanged_for_others() {
        given(pairGranted())
                .when(
                        new ChangeLease(
                                LEASE,
                                null,
                                null,
                                null,
                                null,
                                List.of(),
                                List.of(JOINER_WISH),
                                List.of(HOST.reservation(), NETWORK.reservation())))
                .expectEvents(
                        new ReservationAdded(LEASE, JOINER_WISH),
                        removed(HOST, null),
                        removed(NETWORK, null),
                        released(HOST),
                        released(NETWORK),
                        grant(JOINER, 1));
    }
}
