package org.leasehold.command.lease;

import static org.leasehold.command.lease.ScriptedCalendar.GENERATION;
import static org.leasehold.command.lease.ScriptedCalendar.allocation;

import org.junit.jupiter.api.Test;
import org.leasehold.command.calendar.Grant;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Action;
import org.leasehold.lease.EndCause;
import org.leasehold.lease.Fault;
import org.leasehold.lease.LeaseCommand.ConfirmStart;
import org.leasehold.lease.LeaseCommand.ReportFault;
import org.leasehold.lease.LeaseCommand.RetryLease;
import org.leasehold.lease.LeaseCommand.StartLease;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.LeaseActivated;
import org.leasehold.lease.LeaseEvent.LeaseDelayed;
import org.leasehold.lease.LeaseEvent.LeaseEnding;
import org.leasehold.lease.LeaseEvent.LeaseRequested;
import org.leasehold.lease.LeaseEvent.LeaseStarting;
import org.leasehold.lease.LeaseEvent.ReservationActivated;
import org.leasehold.lease.LeaseEvent.ReservationAdjusting;
import org.leasehold.lease.LeaseEvent.ResourceReplaced;
import org.leasehold.lease.LeaseRejection.WrongStatus;
import org.leasehold.vocabulary.Tenure;

import java.util.List;
import java.util.Map;

/** Tests the start of a lease at the beginning of its window. */
class LeaseStartTest extends LeaseLifeFixture {

    @Test
    void a_pending_lease_starts_at_the_start_date() {
        given(pending())
                .at(START)
                .when(new StartLease(LEASE))
                .expectEvents(new LeaseStarting(LEASE, List.of(TENURE)));
    }

    @Test
    void a_lease_does_not_start_before_the_start_date() {
        given(pending()).at(START.minusMillis(1)).when(new StartLease(LEASE)).nothing();
    }

    @Test
    void a_lease_does_not_start_at_the_end_date() {
        given(pending()).at(END).when(new StartLease(LEASE)).nothing();
    }

    @Test
    void a_second_start_has_no_effect() {
        given(starting()).at(START).when(new StartLease(LEASE)).nothing();
    }

    @Test
    void a_lease_without_reservations_is_active_at_once() {
        given(new LeaseRequested(LEASE, PROJECT, USER, "nightly", PERIOD, null, List.of(), null))
                .at(START)
                .when(new StartLease(LEASE))
                .expectEvents(new LeaseStarting(LEASE, List.of()), new LeaseActivated(LEASE));
    }

    @Test
    void a_delay_names_the_awaited_reservations() {
        calendar.answerNext(new Grant.Awaited(List.of(OTHER_LEASES), "compute-1 is in use"));
        given(pending())
                .at(START)
                .when(new StartLease(LEASE))
                .expectEvents(
                        new LeaseDelayed(LEASE, List.of(OTHER_LEASES), "compute-1 is in use"));
    }

    @Test
    void a_delay_for_the_same_reservations_is_recorded_once() {
        calendar.answerNext(new Grant.Awaited(List.of(OTHER_LEASES), "compute-1 is in use"));
        given(delayed()).at(START).when(new StartLease(LEASE)).nothing();
    }

    @Test
    void a_delayed_lease_starts_when_the_resources_are_free() {
        given(delayed())
                .at(START.plusSeconds(9))
                .when(new StartLease(LEASE))
                .expectEvents(new LeaseStarting(LEASE, List.of(TENURE)));
    }

    @Test
    void a_resource_that_cannot_serve_is_replaced() {
        calendar.answerNext(
                new Grant.TakenUp(
                        List.of(TENURE),
                        List.of(
                                new Grant.Replacement(
                                        RESERVATION,
                                        new ResourceId(1),
                                        allocation(9),
                                        "compute-1 is disabled: new fan"))));
        given(pending())
                .at(START)
                .when(new StartLease(LEASE))
                .expectEvents(
                        new ResourceReplaced(
                                LEASE,
                                RESERVATION,
                                new ResourceId(1),
                                allocation(9),
                                "compute-1 is disabled: new fan"),
                        new LeaseStarting(LEASE, List.of(TENURE)));
    }

    @Test
    void a_start_without_a_replacement_fails_and_names_the_resource() {
        calendar.answerNext(new Grant.Unserviceable(RESERVATION, "compute-1 is disabled: new fan"));
        given(pending())
                .at(START)
                .when(new StartLease(LEASE))
                .expectEvents(failed(Action.START, "compute-1 is disabled: new fan"));
    }

    @Test
    void a_lease_is_active_when_every_reservation_is_active() {
        given(starting())
                .at(START)
                .when(new ConfirmStart(LEASE, TENURE))
                .expectEvents(
                        new ReservationActivated(LEASE, RESERVATION), new LeaseActivated(LEASE));
    }

    @Test
    void a_confirmed_start_stores_the_ids_of_cloud_objects() {
        given(starting())
                .at(START)
                .when(new ConfirmStart(LEASE, TENURE, Map.of("aggregate_id", 7)))
                .expectEvents(
                        new ReservationActivated(
                                LEASE, RESERVATION, Map.of("aggregate_id", 7), null),
                        new LeaseActivated(LEASE));
    }

    @Test
    void a_confirmation_of_an_earlier_tenure_has_no_effect() {
        given(starting())
                .at(START)
                .when(new ConfirmStart(LEASE, new Tenure(RESERVATION, GENERATION - 1)))
                .nothing();
    }

    @Test
    void a_repeated_confirmation_of_a_start_has_no_effect() {
        given(active()).at(START).when(new ConfirmStart(LEASE, TENURE)).nothing();
    }

    @Test
    void a_fault_at_the_start_fails_the_reservation() {
        given(starting())
                .at(START)
                .when(
                        new ReportFault(
                                LEASE,
                                TENURE,
                                Action.START,
                                new Fault(Fault.Kind.INSUFFICIENT_RESOURCES, "no such host")))
                .expectEvents(failed(Action.START, "no such host"));
    }

    @Test
    void a_fault_of_an_earlier_action_has_no_effect_on_an_ending_lease() {
        LeaseEvent ending = new LeaseEnding(LEASE, EndCause.WINDOW_OVER, List.of(TENURE));
        LeaseEvent adjusting = new ReservationAdjusting(LEASE, TENURE, List.of(), List.of());
        Fault fault = new Fault(Fault.Kind.RETRYABLE, "no such host");
        given(with(starting(), ending))
                .at(END)
                .when(new ReportFault(LEASE, TENURE, Action.START, fault))
                .nothing();
        prepare();
        given(with(with(active(), adjusting), ending))
                .at(END)
                .when(new ReportFault(LEASE, TENURE, Action.ADJUST, fault))
                .nothing();
    }

    @Test
    void a_retry_repeats_a_failed_start() {
        given(with(starting(), failed(Action.START, "no such host")))
                .at(START)
                .when(new RetryLease(LEASE))
                .expectEvents(new LeaseStarting(LEASE, List.of(TENURE)));
    }

    @Test
    void a_retry_does_not_repeat_a_failed_start_after_the_window() {
        given(with(starting(), failed(Action.START, "no such host")))
                .at(END)
                .when(new RetryLease(LEASE))
                .nothing();
    }

    @Test
    void a_retry_of_a_healthy_lease_is_rejected() {
        given(active())
                .at(START)
                .when(new RetryLease(LEASE))
                .rejected(new WrongStatus("Active", "retry"));
    }
}
