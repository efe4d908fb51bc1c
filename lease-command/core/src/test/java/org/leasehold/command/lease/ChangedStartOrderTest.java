package org.leasehold.command.lease;

import org.junit.jupiter.api.Test;
import org.leasehold.lease.Action;
import org.leasehold.lease.EndCause;
import org.leasehold.lease.LeaseCommand.ChangeLease;
import org.leasehold.lease.LeaseCommand.ConfirmAdjustment;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.LeaseActivated;
import org.leasehold.lease.LeaseEvent.LeaseEnding;
import org.leasehold.lease.LeaseEvent.LeaseStarting;
import org.leasehold.lease.LeaseEvent.ReservationAdded;
import org.leasehold.lease.LeaseEvent.ReservationAdjusted;
import org.leasehold.lease.LeaseEvent.ReservationAdjusting;
import org.leasehold.lease.LeaseRejection.WrongStatus;
import org.leasehold.lease.ReservationChange;
import org.leasehold.vocabulary.Tenure;

import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Tests the order of starts in leases that change. */
class ChangedStartOrderTest extends StartOrderFixture {

    @Test
    void an_adjustment_starts_what_waited_for_the_failed_reservation() {
        LeaseEvent adjusting = new ReservationAdjusting(LEASE, next(HOST), List.of(), List.of());
        given(with(starting(), activated(NETWORK), failed(HOST, Action.START), adjusting))
                .at(START)
                .when(new ConfirmAdjustment(LEASE, next(HOST)))
                .expectEvents(
                        new ReservationAdjusted(
                                LEASE, HOST.reservation(), List.of(), null, List.of(SERVER)));
    }

    @Test
    void an_adjustment_during_the_end_starts_nothing() {
        LeaseEvent adjusting = new ReservationAdjusting(LEASE, next(HOST), List.of(), List.of());
        given(
                        with(
                                starting(),
                                activated(NETWORK),
                                failed(HOST, Action.START),
                                adjusting,
                                new LeaseEnding(
                                        LEASE,
                                        EndCause.REQUESTED,
                                        List.of(STACK, SERVER, next(HOST), NETWORK))))
                .at(START)
                .when(new ConfirmAdjustment(LEASE, next(HOST)))
                .expectEvents(new ReservationAdjusted(LEASE, HOST.reservation(), List.of()));
    }

    @Test
    void a_waiting_reservation_cannot_change() {
        given(with(starting(), failed(HOST, Action.START)))
                .at(START)
                .when(change(SERVER))
                .rejected(new WrongStatus("Failed", "change a reservation that waits"));
    }

    @Test
    void a_failed_reservation_cannot_change_before_what_it_starts_after_is_active() {
        List<LeaseEvent> failed = with(serverStarts(), failed(SERVER, Action.START));
        WrongStatus rejection = new WrongStatus("Failed", "change a reservation that waits");
        given(with(failed, failed(HOST, Action.ADJUST)))
                .at(START)
                .when(change(SERVER))
                .rejected(rejection);
        prepare();
        given(failed).at(START).when(change(SERVER, NETWORK)).rejected(rejection);
        prepare();
        given(with(active(), failed(STACK, Action.ADJUST), failed(HOST, Action.ADJUST)))
                .at(START)
                .when(change(STACK))
                .rejected(rejection);
    }

    private static ChangeLease change(Tenure... changed) {
        return new ChangeLease(
                LEASE,
                null,
                null,
                null,
                null,
                Arrays.stream(changed)
                        .map(t -> new ReservationChange(t.reservation(), Map.of("max", 2)))
                        .toList());
    }

    @Test
    void reservations_added_to_an_active_lease_start_in_the_order() {
        given(
                        requested(List.of(wish(HOST, LayeredPlugins.HOST))),
                        grant(HOST, 1),
                        new LeaseStarting(LEASE, List.of(HOST)),
                        activated(HOST),
                        new LeaseActivated(LEASE))
                .at(START)
                .when(
                        new ChangeLease(
                                LEASE,
                                null,
                                null,
                                null,
                                null,
                                List.of(),
                                List.of(STACK_WISH, SERVER_WISH)))
                .expectEvents(
                        new ReservationAdded(LEASE, STACK_WISH),
                        new ReservationAdded(LEASE, SERVER_WISH),
                        grant(HOST, 1),
                        grant(STACK, 2),
                        grant(SERVER, 3),
                        new LeaseStarting(
                                LEASE,
                                List.of(next(STACK), next(SERVER)),
                                List.of(STACK.reservation())));
    }
}
