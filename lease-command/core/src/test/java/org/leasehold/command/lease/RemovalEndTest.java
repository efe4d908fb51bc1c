package org.leasehold.command.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.command.lease.ScriptedCalendar.GENERATION;
import static org.leasehold.command.lease.ScriptedCalendar.allocation;

import org.junit.jupiter.api.Test;
import org.leasehold.command.calendar.CalendarRequest.GiveUp;
import org.leasehold.command.calendar.CalendarRequest.LetGo;
import org.leasehold.command.calendar.CalendarRequest.Shorten;
import org.leasehold.command.calendar.CalendarRequest.TakeUp;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Action;
import org.leasehold.lease.EndCause;
import org.leasehold.lease.Fault;
import org.leasehold.lease.LeaseCommand.ChangeLease;
import org.leasehold.lease.LeaseCommand.ConfirmRelease;
import org.leasehold.lease.LeaseCommand.EndLease;
import org.leasehold.lease.LeaseCommand.ForceEnd;
import org.leasehold.lease.LeaseCommand.ReportFault;
import org.leasehold.lease.LeaseCommand.RetryLease;
import org.leasehold.lease.LeaseCommand.StartLease;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.LeaseActivated;
import org.leasehold.lease.LeaseEvent.LeaseDelayed;
import org.leasehold.lease.LeaseEvent.LeaseEnded;
import org.leasehold.lease.LeaseEvent.LeaseEnding;
import org.leasehold.lease.LeaseEvent.LeaseStarting;
import org.leasehold.lease.LeaseEvent.ReservationActivated;
import org.leasehold.lease.LeaseEvent.ReservationAdjusting;
import org.leasehold.lease.LeaseEvent.ReservationChanged;
import org.leasehold.lease.LeaseEvent.ReservationFailed;
import org.leasehold.lease.LeaseEvent.ReservationGranted;
import org.leasehold.lease.LeaseRejection.WrongStatus;
import org.leasehold.lease.ReservationChange;
import org.leasehold.vocabulary.Tenure;

import java.time.Duration;
import java.util.List;
import java.util.Set;

/** Tests how removed reservations are taken back, and how leases go on without them. */
class RemovalEndTest extends RemovalFixture {

    private static final Fault FAULT = new Fault(Fault.Kind.PERMANENT, "no answer");

    @Test
    void a_removed_reservation_is_released_and_the_lease_goes_on() {
        given(leaving())
                .at(START)
                .when(new ConfirmRelease(LEASE, NETWORK))
                .expectEvents(released(NETWORK));
        assertThat(calendar.requests().getLast())
                .isEqualTo(new LetGo(NETWORK.reservation(), Set.of()));
        prepare();
        given(with(leaving(), released(NETWORK)))
                .at(START)
                .when(new ConfirmRelease(LEASE, NETWORK))
                .nothing();
    }

    @Test
    void the_release_of_a_present_reservation_is_ignored() {
        given(leaving()).at(START).when(new ConfirmRelease(LEASE, HOST)).nothing();
    }

    @Test
    void a_lease_ends_when_the_removed_reservation_is_released_too() {
        LeaseEvent ending = new LeaseEnding(LEASE, EndCause.REQUESTED, List.of(HOST, NETWORK));
        given(leaving())
                .at(START)
                .when(new EndLease(LEASE, EndCause.REQUESTED))
                .expectEvents(ending);
        assertThat(calendar.requests().getLast())
                .isEqualTo(new Shorten(LEASE, List.of(HOST.reservation()), START));
        prepare();
        given(with(leaving(), ending))
                .at(START)
                .when(new ConfirmRelease(LEASE, HOST))
                .expectEvents(released(HOST));
        prepare();
        given(with(leaving(), ending, released(HOST)))
                .at(START)
                .when(new ConfirmRelease(LEASE, NETWORK))
                .expectEvents(released(NETWORK), new LeaseEnded(LEASE, EndCause.REQUESTED));
    }

    @Test
    void a_forced_end_releases_a_removed_reservation_too() {
        given(leaving())
                .at(START)
                .when(new ForceEnd(LEASE))
                .expectEvents(
                        released(HOST), released(NETWORK), new LeaseEnded(LEASE, EndCause.FORCED));
        assertThat(calendar.requests().getLast())
                .isEqualTo(new GiveUp(LEASE, List.of(HOST.reservation()), START));
    }

    @Test
    void a_failed_removal_can_be_retried() {
        LeaseEvent failed = new ReservationFailed(LEASE, NETWORK.reservation(), Action.END, FAULT);
        ReportFault report = new ReportFault(LEASE, NETWORK, Action.END, FAULT);
        given(leaving()).at(START).when(report).expectEvents(failed);
        prepare();
        given(with(leaving(), failed)).at(START).when(report).nothing();
        prepare();
        given(with(leaving(), failed))
                .at(START)
                .when(new RetryLease(LEASE))
                .expectEvents(removed(NETWORK, NETWORK));
        prepare();
        given(with(leaving(), failed, removed(NETWORK, NETWORK)))
                .at(START)
                .when(new RetryLease(LEASE))
                .rejected(new WrongStatus("Active", "retry"));
    }

    @Test
    void a_failed_removal_can_be_retried_while_the_lease_is_delayed() {
        List<LeaseEvent> delayed =
                with(
                        pairStarting(),
                        new ReservationActivated(LEASE, HOST.reservation()),
                        startFailed(NETWORK),
                        new LeaseDelayed(LEASE, List.of(OTHER_LEASES), "in use"),
                        removed(HOST, HOST),
                        new ReservationFailed(LEASE, HOST.reservation(), Action.END, FAULT));
        given(delayed).at(START).when(new RetryLease(LEASE)).expectEvents(removed(HOST, HOST));
    }

    @Test
    void a_retry_repeats_failed_removals_and_failed_starts() {
        List<LeaseEvent> history =
                with(
                        leaving(),
                        new ReservationFailed(LEASE, NETWORK.reservation(), Action.END, FAULT),
                        new LeaseStarting(LEASE, List.of(HOST)),
                        new ReservationFailed(LEASE, HOST.reservation(), Action.START, FAULT));
        given(history)
                .at(START)
                .when(new RetryLease(LEASE))
                .expectEvents(removed(NETWORK, NETWORK), new LeaseStarting(LEASE, List.of(HOST)));
        assertThat(((TakeUp) calendar.requests().getLast()).reservations()).hasSize(1);
    }

    @Test
    void a_failure_during_the_end_is_one_of_the_lease() {
        LeaseEvent ending = new LeaseEnding(LEASE, EndCause.REQUESTED, List.of(HOST, NETWORK));
        LeaseEvent failed = new ReservationFailed(LEASE, NETWORK.reservation(), Action.END, FAULT);
        given(with(leaving(), ending))
                .at(START)
                .when(new ReportFault(LEASE, NETWORK, Action.END, FAULT))
                .expectEvents(failed);
        prepare();
        given(with(leaving(), ending, failed))
                .at(START)
                .when(new RetryLease(LEASE))
                .expectEvents(ending);
    }

    @Test
    void a_failed_lease_is_active_without_the_reservation_that_failed() {
        given(
                        with(
                                pairStarting(),
                                new ReservationActivated(LEASE, HOST.reservation()),
                                startFailed(NETWORK)))
                .at(START)
                .when(remove(NETWORK))
                .expectEvents(removed(NETWORK, NETWORK), new LeaseActivated(LEASE));
    }

    @Test
    void a_failed_lease_is_active_after_a_removal_and_an_adjustment() {
        ReservationChange grown =
                new ReservationChange(HOST.reservation(), HostOnlyPlugins.parameters(2, 2));
        given(
                        with(
                                pairStarting(),
                                new ReservationActivated(LEASE, HOST.reservation()),
                                startFailed(NETWORK)))
                .at(START)
                .when(
                        new ChangeLease(
                                LEASE,
                                null,
                                null,
                                null,
                                null,
                                List.of(grown),
                                List.of(),
                                List.of(NETWORK.reservation())))
                .expectEvents(
                        new ReservationChanged(LEASE, HOST.reservation(), grown.parameters()),
                        removed(NETWORK, NETWORK),
                        new ReservationGranted(
                                LEASE,
                                HOST.reservation(),
                                PERIOD,
                                Duration.ZERO,
                                List.of(allocation(1), allocation(2))),
                        new ReservationAdjusting(
                                LEASE,
                                new Tenure(HOST.reservation(), GENERATION + 1),
                                List.of(new ResourceId(2)),
                                List.of()),
                        new LeaseActivated(LEASE));
    }

    @Test
    void a_failed_lease_starts_on_without_the_reservation_that_failed() {
        given(with(pairStarting(), startFailed(NETWORK)))
                .at(START)
                .when(remove(NETWORK))
                .expectEvents(removed(NETWORK, NETWORK), new LeaseStarting(LEASE, List.of()));
    }

    @Test
    void a_lease_that_could_not_start_starts_without_the_unfit_reservation() {
        given(with(pairGranted(), startFailed(NETWORK)))
                .at(START)
                .when(remove(NETWORK))
                .expectEvents(
                        removed(NETWORK, null),
                        released(NETWORK),
                        new LeaseDelayed(
                                LEASE,
                                List.of(),
                                "The lease starts without the removed reservations."));
    }

    @Test
    void a_lease_stays_in_error_while_another_reservation_failed() {
        given(with(pairStarting(), startFailed(NETWORK), startFailed(HOST)))
                .at(START)
                .when(remove(NETWORK))
                .expectEvents(removed(NETWORK, NETWORK));
    }

    @Test
    void a_delayed_lease_starts_only_the_reservations_that_do_not_run() {
        given(
                        with(
                                pairStarting(),
                                new ReservationActivated(LEASE, HOST.reservation()),
                                startFailed(NETWORK),
                                new LeaseDelayed(LEASE, List.of(OTHER_LEASES), "in use")))
                .at(START)
                .when(new StartLease(LEASE))
                .expectEvents(new LeaseStarting(LEASE, List.of(NETWORK)));
    }

    private static LeaseEvent startFailed(Tenure tenure) {
        return new ReservationFailed(LEASE, tenure.reservation(), Action.START, FAULT);
    }

    private static List<LeaseEvent> leaving() {
        return with(pairActive(), removed(NETWORK, NETWORK));
    }
}
