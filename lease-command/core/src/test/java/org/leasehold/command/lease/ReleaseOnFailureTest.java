package org.leasehold.command.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.command.lease.ScriptedCalendar.GENERATION;
import static org.leasehold.command.lease.ScriptedCalendar.allocation;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.leasehold.command.calendar.CalendarRequest.Shorten;
import org.leasehold.command.calendar.CalendarRequest.TakeUp;
import org.leasehold.command.calendar.Grant;
import org.leasehold.lease.Action;
import org.leasehold.lease.EndCause;
import org.leasehold.lease.Fault;
import org.leasehold.lease.LeaseCommand.ConfirmRelease;
import org.leasehold.lease.LeaseCommand.CreateLease;
import org.leasehold.lease.LeaseCommand.ReportFault;
import org.leasehold.lease.LeaseCommand.RetryCreation;
import org.leasehold.lease.LeaseCommand.StartLease;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.LeaseActivated;
import org.leasehold.lease.LeaseEvent.LeaseEnded;
import org.leasehold.lease.LeaseEvent.LeaseEnding;
import org.leasehold.lease.LeaseEvent.LeaseRequested;
import org.leasehold.lease.LeaseEvent.LeaseRetryScheduled;
import org.leasehold.lease.LeaseEvent.LeaseStarting;
import org.leasehold.lease.LeaseEvent.ReservationActivated;
import org.leasehold.lease.LeaseEvent.ReservationAdded;
import org.leasehold.lease.LeaseEvent.ReservationFailed;
import org.leasehold.lease.LeaseEvent.ReservationGranted;
import org.leasehold.lease.LeaseEvent.ReservationReleased;
import org.leasehold.lease.ReservationWish;
import org.leasehold.lease.RetryPlan;
import org.leasehold.lease.StartFailurePolicy;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.Tenure;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

/** Tests the policy of a lease for a start that fails. */
class ReleaseOnFailureTest extends LeaseLifeFixture {

    private static final Tenure JOINER = new Tenure(new ReservationId(new UUID(0, 4)), GENERATION);
    private static final Fault FAULT = new Fault(Fault.Kind.PERMANENT, "no answer");

    private static LeaseEvent requested(@Nullable StartFailurePolicy policy) {
        return new LeaseRequested(
                LEASE, PROJECT, USER, "nightly", PERIOD, WARNING, List.of(wish(1, 1)), policy);
    }

    private static List<LeaseEvent> startingWith(@Nullable StartFailurePolicy policy) {
        return List.of(
                requested(policy), granted(PERIOD, 1), new LeaseStarting(LEASE, List.of(TENURE)));
    }

    private static LeaseEvent failed(Tenure tenure) {
        return new ReservationFailed(LEASE, tenure.reservation(), Action.START, FAULT);
    }

    private static ReportFault report(Tenure tenure) {
        return new ReportFault(LEASE, tenure, Action.START, FAULT);
    }

    @Test
    void a_request_states_a_policy() {
        CreateLease plain = create(1, 1);
        given().when(
                        new CreateLease(
                                LEASE,
                                PROJECT,
                                USER,
                                plain.name(),
                                START,
                                END,
                                WARNING,
                                plain.reservations(),
                                null,
                                StartFailurePolicy.RELEASE))
                .expectEvents(requested(StartFailurePolicy.RELEASE), granted(PERIOD, 1));
    }

    @Test
    void a_granted_retry_keeps_the_policy() {
        given(
                        new LeaseRetryScheduled(
                                LEASE,
                                PROJECT,
                                USER,
                                "nightly",
                                PERIOD,
                                WARNING,
                                List.of(wish(1, 1)),
                                new RetryPlan(1, 3, Duration.ofMinutes(5), NOW, START),
                                List.of(SHORTAGE),
                                41,
                                StartFailurePolicy.RELEASE))
                .when(new RetryCreation(LEASE))
                .expectEvents(requested(StartFailurePolicy.RELEASE), granted(PERIOD, 1));
    }

    @Test
    void a_failed_start_releases_the_whole_lease() {
        given(startingWith(StartFailurePolicy.RELEASE))
                .at(START)
                .when(report(TENURE))
                .expectEvents(
                        failed(TENURE),
                        new LeaseEnding(LEASE, EndCause.START_FAILED, List.of(TENURE)));
        assertThat(calendar.requests().getLast())
                .isEqualTo(new Shorten(LEASE, List.of(RESERVATION), START));
        prepare();
        given(
                        with(
                                startingWith(StartFailurePolicy.RELEASE),
                                failed(TENURE),
                                new LeaseEnding(LEASE, EndCause.START_FAILED, List.of(TENURE))))
                .at(START)
                .when(new ConfirmRelease(LEASE, TENURE))
                .expectEvents(
                        new ReservationReleased(LEASE, RESERVATION),
                        new LeaseEnded(LEASE, EndCause.START_FAILED));
    }

    @Test
    void a_failed_start_releases_nothing_by_default() {
        for (StartFailurePolicy policy : new StartFailurePolicy[] {null, StartFailurePolicy.KEEP}) {
            prepare();
            given(startingWith(policy)).at(START).when(report(TENURE)).expectEvents(failed(TENURE));
        }
    }

    @Test
    void a_resource_out_of_service_releases_the_whole_lease() {
        calendar.answerNext(new Grant.Unserviceable(RESERVATION, "compute-1 is disabled"));
        given(requested(StartFailurePolicy.RELEASE), granted(PERIOD, 1))
                .at(START)
                .when(new StartLease(LEASE))
                .expectEvents(
                        failed(Action.START, "compute-1 is disabled"),
                        new LeaseEnding(LEASE, EndCause.START_FAILED, List.of()),
                        new ReservationReleased(LEASE, RESERVATION),
                        new LeaseEnded(LEASE, EndCause.START_FAILED));
        assertThat(((TakeUp) calendar.requests().getLast()).endIfUnserviceable()).isEqualTo(START);
        prepare();
        given(pending())
                .at(START)
                .when(new StartLease(LEASE))
                .expectEvents(new LeaseStarting(LEASE, List.of(TENURE)));
        assertThat(((TakeUp) calendar.requests().getLast()).endIfUnserviceable()).isNull();
    }

    @Test
    void what_runs_already_is_taken_back_too() {
        given(
                        requested(StartFailurePolicy.RELEASE),
                        new ReservationAdded(LEASE, joinerWish()),
                        granted(PERIOD, 1),
                        joinerGranted(),
                        new LeaseStarting(LEASE, List.of(TENURE, JOINER)),
                        new ReservationActivated(LEASE, RESERVATION))
                .at(START)
                .when(report(JOINER))
                .expectEvents(
                        failed(JOINER),
                        new LeaseEnding(LEASE, EndCause.START_FAILED, List.of(TENURE, JOINER)));
    }

    @Test
    void a_reservation_that_joins_an_active_lease_does_not_release_it() {
        given(
                        with(
                                startingWith(StartFailurePolicy.RELEASE),
                                new ReservationActivated(LEASE, RESERVATION),
                                new LeaseActivated(LEASE),
                                new ReservationAdded(LEASE, joinerWish()),
                                joinerGranted(),
                                new LeaseStarting(LEASE, List.of(JOINER))))
                .at(START)
                .when(report(JOINER))
                .expectEvents(failed(JOINER));
    }

    private static ReservationWish joinerWish() {
        return new ReservationWish(
                JOINER.reservation(), wish(1, 1).kind(), HostOnlyPlugins.parameters(1, 1));
    }

    private static LeaseEvent joinerGranted() {
        return new ReservationGranted(
                LEASE, JOINER.reservation(), PERIOD, Duration.ZERO, List.of(allocation(2)));
    }
}
