package org.leasehold.command.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.command.lease.ScriptedCalendar.GENERATION;
import static org.leasehold.command.lease.ScriptedCalendar.allocation;

import org.junit.jupiter.api.Test;
import org.leasehold.command.calendar.CalendarRequest.Hold;
import org.leasehold.command.calendar.CalendarRequest.Wanted;
import org.leasehold.command.calendar.Grant;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.Action;
import org.leasehold.lease.EndCause;
import org.leasehold.lease.Fault;
import org.leasehold.lease.LeaseCommand.ChangeLease;
import org.leasehold.lease.LeaseCommand.ConfirmStart;
import org.leasehold.lease.LeaseCommand.EndLease;
import org.leasehold.lease.LeaseCommand.RetryLease;
import org.leasehold.lease.LeaseCommand.StartLease;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.LeaseActivated;
import org.leasehold.lease.LeaseEvent.LeaseChangeRefused;
import org.leasehold.lease.LeaseEvent.LeaseEnding;
import org.leasehold.lease.LeaseEvent.LeaseRenamed;
import org.leasehold.lease.LeaseEvent.LeaseRequested;
import org.leasehold.lease.LeaseEvent.LeaseRescheduled;
import org.leasehold.lease.LeaseEvent.LeaseStarting;
import org.leasehold.lease.LeaseEvent.ReservationActivated;
import org.leasehold.lease.LeaseEvent.ReservationAdded;
import org.leasehold.lease.LeaseEvent.ReservationAdjusting;
import org.leasehold.lease.LeaseEvent.ReservationFailed;
import org.leasehold.lease.LeaseEvent.ReservationGranted;
import org.leasehold.lease.LeaseRejection.LeaseOver;
import org.leasehold.lease.LeaseRejection.TooManyReservations;
import org.leasehold.lease.LeaseRejection.UnknownKind;
import org.leasehold.lease.LeaseRejection.WrongStatus;
import org.leasehold.lease.ReservationWish;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.Tenure;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Tests reservations that are added to a lease. */
class AddedReservationTest extends LeaseLifeFixture {

    private final ReservationId joiner = new ReservationId(new UUID(0, 4));
    private final ReservationWish wish =
            new ReservationWish(
                    joiner, ResourceKind.PHYSICAL_HOST, HostOnlyPlugins.parameters(1, 1));
    private final LeaseEvent added = new ReservationAdded(LEASE, wish);
    private final Tenure tenure = new Tenure(joiner, GENERATION + 1);
    private final LeaseEvent joinerGranted = joinerGranted(PERIOD, 2);

    @Test
    void a_reservation_is_added_to_a_pending_lease() {
        given(pending()).when(join(wish)).expectEvents(added, granted(PERIOD, 1), joinerGranted);
        assertThat(((Hold) calendar.requests().getLast()).wanted())
                .extracting(Wanted::running)
                .containsExactly(false, false);
    }

    @Test
    void an_added_reservation_starts_with_the_other_reservations() {
        for (List<LeaseEvent> state : List.of(pending(), delayed())) {
            prepare();
            given(with(state, added, joinerGranted))
                    .at(START)
                    .when(new StartLease(LEASE))
                    .expectEvents(
                            new LeaseStarting(
                                    LEASE, List.of(TENURE, new Tenure(joiner, GENERATION))));
        }
    }

    @Test
    void an_added_reservation_of_an_active_lease_starts_at_once() {
        given(active())
                .at(START)
                .when(join(wish))
                .expectEvents(
                        added,
                        granted(PERIOD, 1),
                        joinerGranted,
                        new LeaseStarting(LEASE, List.of(tenure)));
        assertThat(((Hold) calendar.requests().getLast()).wanted())
                .extracting(Wanted::running)
                .containsExactly(true, true);
    }

    @Test
    void a_reservation_is_added_to_an_active_lease_without_reservations() {
        given(
                        new LeaseRequested(
                                LEASE, PROJECT, USER, "nightly", PERIOD, null, List.of(), null),
                        new LeaseStarting(LEASE, List.of()),
                        new LeaseActivated(LEASE))
                .at(START)
                .when(join(wish))
                .expectEvents(
                        added, joinerGranted(PERIOD, 1), new LeaseStarting(LEASE, List.of(tenure)));
    }

    @Test
    void a_lease_is_active_when_the_added_reservation_is_active() {
        given(joined())
                .at(START)
                .when(new ConfirmStart(LEASE, tenure))
                .expectEvents(new ReservationActivated(LEASE, joiner), new LeaseActivated(LEASE));
    }

    @Test
    void a_lease_becomes_active_during_an_adjustment() {
        LeaseEvent adjusting =
                new ReservationAdjusting(LEASE, TENURE, List.of(), List.of(allocation(1)));
        given(with(with(active(), adjusting), started()))
                .at(START)
                .when(new ConfirmStart(LEASE, tenure))
                .expectEvents(new ReservationActivated(LEASE, joiner), new LeaseActivated(LEASE));
    }

    @Test
    void a_retry_starts_only_the_failed_added_reservation() {
        LeaseEvent failure =
                new ReservationFailed(
                        LEASE, joiner, Action.START, new Fault(Fault.Kind.RETRYABLE, "no answer"));
        LeaseEvent adjusting =
                new ReservationAdjusting(LEASE, TENURE, List.of(), List.of(allocation(1)));
        given(with(joined(), failure))
                .at(START)
                .when(new RetryLease(LEASE))
                .expectEvents(new LeaseStarting(LEASE, List.of(new Tenure(joiner, GENERATION))));
        prepare();
        given(with(with(with(active(), adjusting), started()), failure))
                .at(START)
                .when(new RetryLease(LEASE))
                .expectEvents(new LeaseStarting(LEASE, List.of(new Tenure(joiner, GENERATION))));
    }

    @Test
    void an_added_reservation_ends_with_the_lease() {
        given(with(joined(), new ReservationActivated(LEASE, joiner), new LeaseActivated(LEASE)))
                .at(END)
                .when(new EndLease(LEASE, EndCause.WINDOW_OVER))
                .expectEvents(
                        new LeaseEnding(LEASE, EndCause.WINDOW_OVER, List.of(TENURE, tenure)));
    }

    @Test
    void a_change_with_an_added_reservation_is_atomic() {
        LeasePeriod longer = new LeasePeriod(START, END.plusSeconds(3600));
        ChangeLease both =
                new ChangeLease(LEASE, "b", null, longer.end(), null, List.of(), List.of(wish));
        given(active())
                .at(START)
                .when(both)
                .expectEvents(
                        new LeaseRenamed(LEASE, "b"),
                        new LeaseRescheduled(LEASE, longer, WARNING.plusSeconds(3600)),
                        added,
                        granted(longer, 1),
                        joinerGranted(longer, 2),
                        new LeaseStarting(LEASE, List.of(tenure)));
        prepare();
        calendar.answerNext(new Grant.HoldRefused(List.of(SHORTAGE), 41));
        given(active())
                .at(START)
                .when(both)
                .refused()
                .expectEvents(
                        new LeaseChangeRefused(
                                LEASE, longer, List.of(wish(1, 1), wish), List.of(SHORTAGE), 41));
    }

    @Test
    void a_repeated_addition_of_a_reservation_has_no_effect() {
        given(with(pending(), added, joinerGranted)).when(join(wish)).nothing();
        prepare();
        given(joined()).at(START).when(join(wish)).nothing();
    }

    @Test
    void an_added_reservation_of_an_unknown_kind_is_rejected() {
        ResourceKind foo = new ResourceKind("foo");
        given(pending())
                .when(join(new ReservationWish(joiner, foo, Map.of())))
                .rejected(new UnknownKind(foo));
    }

    @Test
    void a_starting_ending_failed_or_ended_lease_rejects_an_addition() {
        given(starting()).at(START).when(join(wish)).rejected(wrong("Starting", "change"));
        prepare();
        given(ending()).at(START).when(join(wish)).rejected(wrong("Ending", "change"));
        prepare();
        given(with(starting(), failed(Action.START, "no such host")))
                .at(START)
                .when(join(wish))
                .rejected(wrong("Failed", "take a further reservation"));
        prepare();
        given(ended()).at(START).when(join(wish)).rejected(new LeaseOver(END));
    }

    @Test
    void an_addition_beyond_a_hundred_reservations_is_rejected() {
        ReservationWish[] many =
                IntStream.range(0, 99)
                        .mapToObj(
                                i ->
                                        new ReservationWish(
                                                new ReservationId(new UUID(1, i)),
                                                ResourceKind.PHYSICAL_HOST,
                                                HostOnlyPlugins.parameters(1, 1)))
                        .toArray(ReservationWish[]::new);
        LeaseEvent[] grown =
                Stream.of(many)
                        .map(each -> new ReservationAdded(LEASE, each))
                        .toArray(LeaseEvent[]::new);

        given(with(pending(), grown)).when(join(wish)).rejected(new TooManyReservations(100));
    }

    private WrongStatus wrong(String status, String asked) {
        return new WrongStatus(status, asked);
    }

    private ChangeLease join(ReservationWish further) {
        return new ChangeLease(LEASE, null, null, null, null, List.of(), List.of(further));
    }

    private LeaseEvent joinerGranted(LeasePeriod period, int host) {
        return new ReservationGranted(
                LEASE, joiner, period, Duration.ZERO, List.of(allocation(host)));
    }

    private LeaseEvent[] started() {
        return new LeaseEvent[] {added, joinerGranted, new LeaseStarting(LEASE, List.of(tenure))};
    }

    private List<LeaseEvent> joined() {
        return with(active(), started());
    }
}
