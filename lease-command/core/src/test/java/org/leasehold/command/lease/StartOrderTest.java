package org.leasehold.command.lease;

import org.junit.jupiter.api.Test;
import org.leasehold.lease.Action;
import org.leasehold.lease.EndCause;
import org.leasehold.lease.LeaseCommand.ConfirmStart;
import org.leasehold.lease.LeaseCommand.EndLease;
import org.leasehold.lease.LeaseCommand.ReportFault;
import org.leasehold.lease.LeaseCommand.RetryLease;
import org.leasehold.lease.LeaseCommand.StartLease;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.LeaseActivated;
import org.leasehold.lease.LeaseEvent.LeaseEnding;
import org.leasehold.lease.LeaseEvent.LeaseStarting;
import org.leasehold.lease.LeaseEvent.ReservationAdded;

import java.util.List;

/** Tests the order in which the reservations of a lease start. */
class StartOrderTest extends StartOrderFixture {

    @Test
    void a_reservation_waits_for_the_kinds_that_it_starts_after() {
        given(granted()).at(START).when(new StartLease(LEASE)).expectEvents(startingEvent());
    }

    @Test
    void a_reservation_starts_when_all_that_it_waits_for_are_active() {
        given(starting())
                .at(START)
                .when(new ConfirmStart(LEASE, NETWORK))
                .expectEvents(activated(NETWORK));
        prepare();
        given(with(starting(), activated(NETWORK)))
                .at(START)
                .when(new ConfirmStart(LEASE, HOST))
                .expectEvents(activated(HOST, SERVER));
        prepare();
        given(serverStarts())
                .at(START)
                .when(new ConfirmStart(LEASE, SERVER))
                .expectEvents(activated(SERVER, STACK));
    }

    @Test
    void a_lease_is_active_when_the_last_reservation_is_active() {
        given(with(serverStarts(), activated(SERVER, STACK)))
                .at(START)
                .when(new ConfirmStart(LEASE, STACK))
                .expectEvents(activated(STACK), new LeaseActivated(LEASE));
    }

    @Test
    void a_start_of_a_waiting_reservation_is_not_reported() {
        given(starting()).at(START).when(new ConfirmStart(LEASE, SERVER)).nothing();
        prepare();
        given(starting())
                .at(START)
                .when(new ReportFault(LEASE, SERVER, Action.START, fault()))
                .nothing();
    }

    @Test
    void kinds_order_only_the_reservations_of_the_lease() {
        List<LeaseEvent> stackAndHost =
                List.of(requested(List.of(STACK_WISH, WISHES.get(2))), grant(STACK), grant(HOST));
        given(stackAndHost)
                .at(START)
                .when(new StartLease(LEASE))
                .expectEvents(
                        new LeaseStarting(
                                LEASE, List.of(STACK, HOST), List.of(STACK.reservation())));
        prepare();
        given(requested(List.of(STACK_WISH)), grant(STACK))
                .at(START)
                .when(new StartLease(LEASE))
                .expectEvents(new LeaseStarting(LEASE, List.of(STACK)));
    }

    @Test
    void nothing_starts_while_what_it_needs_has_failed() {
        given(with(starting(), failed(HOST, Action.START)))
                .at(START)
                .when(new ConfirmStart(LEASE, NETWORK))
                .expectEvents(activated(NETWORK));
    }

    @Test
    void a_failure_does_not_stop_what_does_not_need_it() {
        given(with(serverStarts(), failed(SERVER, Action.START)))
                .at(START)
                .when(new ReportFault(LEASE, SERVER, Action.START, fault()))
                .nothing();
        prepare();
        LeaseEvent secondStack =
                new ReservationAdded(LEASE, wish(tenure(14), LayeredPlugins.NETWORK));
        given(
                        with(
                                with(granted(), secondStack, grant(tenure(14))),
                                new LeaseStarting(
                                        LEASE,
                                        List.of(SERVER, HOST, NETWORK, tenure(14)),
                                        List.of(SERVER.reservation())),
                                activated(HOST),
                                activated(NETWORK),
                                failed(tenure(14), Action.START)))
                .at(START)
                .when(new RetryLease(LEASE))
                .expectEvents(
                        new LeaseStarting(
                                LEASE,
                                List.of(STACK, SERVER, tenure(14)),
                                List.of(STACK.reservation(), SERVER.reservation())));
    }

    @Test
    void a_retry_continues_in_the_order() {
        given(with(starting(), activated(NETWORK), failed(HOST, Action.START)))
                .at(START)
                .when(new RetryLease(LEASE))
                .expectEvents(
                        new LeaseStarting(
                                LEASE,
                                List.of(STACK, SERVER, HOST),
                                List.of(STACK.reservation(), SERVER.reservation())));
        prepare();
        given(with(serverStarts(), failed(SERVER, Action.START)))
                .at(START)
                .when(new RetryLease(LEASE))
                .expectEvents(
                        new LeaseStarting(
                                LEASE, List.of(STACK, SERVER), List.of(STACK.reservation())));
    }

    @Test
    void all_reservations_end_at_once() {
        given(active())
                .at(END)
                .when(new EndLease(LEASE, EndCause.WINDOW_OVER))
                .expectEvents(new LeaseEnding(LEASE, EndCause.WINDOW_OVER, ALL));
    }

    @Test
    void reservations_that_never_started_are_taken_back_too() {
        given(serverStarts())
                .at(START)
                .when(new EndLease(LEASE, EndCause.REQUESTED))
                .expectEvents(new LeaseEnding(LEASE, EndCause.REQUESTED, ALL));
    }
}
