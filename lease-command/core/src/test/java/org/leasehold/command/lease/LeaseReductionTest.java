package org.leasehold.command.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.command.lease.ScriptedCalendar.GENERATION;
import static org.leasehold.command.lease.ScriptedCalendar.allocation;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.leasehold.calendar.Demand;
import org.leasehold.command.calendar.CalendarRequest.LetGo;
import org.leasehold.command.calendar.CalendarRequest.Nothing;
import org.leasehold.command.calendar.CalendarRequest.Reduce;
import org.leasehold.command.calendar.Grant;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.Action;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.EndCause;
import org.leasehold.lease.Fault;
import org.leasehold.lease.LeaseCommand.ChangeLease;
import org.leasehold.lease.LeaseCommand.ConfirmAdjustment;
import org.leasehold.lease.LeaseCommand.ConfirmStart;
import org.leasehold.lease.LeaseCommand.ReportFault;
import org.leasehold.lease.LeaseCommand.RetryLease;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.LeaseActivated;
import org.leasehold.lease.LeaseEvent.LeaseEnding;
import org.leasehold.lease.LeaseEvent.LeaseStarting;
import org.leasehold.lease.LeaseEvent.ReservationActivated;
import org.leasehold.lease.LeaseEvent.ReservationAdjusted;
import org.leasehold.lease.LeaseEvent.ReservationAdjusting;
import org.leasehold.lease.LeaseEvent.ReservationChanged;
import org.leasehold.lease.LeaseEvent.ReservationGranted;
import org.leasehold.lease.ReservationChange;
import org.leasehold.lease.ReservationWish;
import org.leasehold.resource.stack.StackPlanning;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.Tenure;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Tests running stacks that shrink: only the cloud's confirmation frees capacity. */
class LeaseReductionTest extends LeaseLifeFixture {

    private static final Instant HALF = Instant.parse("2030-01-01T13:00:00Z");
    private static final LeasePeriod REST = new LeasePeriod(HALF, END);
    private static final Tenure ADJUSTING = new Tenure(RESERVATION, GENERATION + 1);

    private static final Map<String, @Nullable Object> LARGE =
            StackOnlyPlugins.volumes(Map.of("gold", 10, "silver", 5));
    private static final Map<String, @Nullable Object> BOTH =
            StackOnlyPlugins.changed(LARGE, Map.of("silver", 4));
    private static final Map<String, @Nullable Object> SMALL =
            new StackPlanning().planConfirmed(BOTH).orElseThrow().parameters();

    @Override
    @BeforeEach
    void prepare() {
        fixture =
                LeaseAggregateFixture.create(
                        new StackOnlyPlugins(),
                        LeaseSettings.defaults(),
                        calendar,
                        new UnlimitedLeaseCounts());
    }

    private static LeaseEvent grant(LeasePeriod period, Allocation... allocations) {
        return new ReservationGranted(
                LEASE, RESERVATION, period, Duration.ZERO, List.of(allocations));
    }

    private static List<LeaseEvent> running() {
        return List.of(
                requested(new ReservationWish(RESERVATION, ResourceKind.STACK, LARGE)),
                grant(PERIOD, allocation(1), allocation(2)),
                new LeaseStarting(LEASE, List.of(TENURE)),
                new ReservationActivated(LEASE, RESERVATION),
                new LeaseActivated(LEASE));
    }

    /** Returns the events of a change to a smaller stack, which the cloud has yet to confirm. */
    private static List<LeaseEvent> shrinking() {
        return with(
                running(),
                new ReservationChanged(LEASE, RESERVATION, BOTH),
                grant(REST, allocation(1), allocation(2)),
                new ReservationAdjusting(LEASE, ADJUSTING, List.of(), List.of()));
    }

    private Optional<Reduce> reduction() {
        return calendar.requests().stream()
                .filter(Reduce.class::isInstance)
                .map(Reduce.class::cast)
                .findFirst();
    }

    @Test
    void a_change_to_a_smaller_stack_holds_the_old_and_the_new_needs() {
        given(running())
                .at(HALF)
                .when(
                        new ChangeLease(
                                LEASE,
                                null,
                                null,
                                null,
                                null,
                                List.of(
                                        new ReservationChange(
                                                RESERVATION,
                                                StackOnlyPlugins.request(Map.of("silver", 4))))))
                .expectEvents(
                        new ReservationChanged(LEASE, RESERVATION, BOTH),
                        grant(REST, allocation(1), allocation(2)));
        assertThat(reduction()).isEmpty();
    }

    @Test
    void the_confirmation_of_a_smaller_stack_frees_the_rest() {
        given(shrinking())
                .at(HALF)
                .when(new ConfirmAdjustment(LEASE, ADJUSTING, Map.of("stack_id", "s")))
                .expectEvents(
                        new ReservationChanged(LEASE, RESERVATION, SMALL),
                        grant(REST, allocation(1)),
                        new ReservationAdjusted(
                                LEASE,
                                RESERVATION,
                                List.of(new ResourceId(2)),
                                Map.of("stack_id", "s"),
                                null));
        Reduce request = reduction().orElseThrow();
        assertThat(request.demands())
                .extracting(demand -> ((Demand.Shared) demand).needs())
                .containsExactly(Map.of("VOLUME_GB", 4L));
        assertThat(request.period()).isEqualTo(REST);
        assertThat(request.current()).containsExactly(allocation(1), allocation(2));
    }

    @Test
    void a_repeated_confirmation_frees_nothing_twice() {
        given(
                        with(
                                shrinking(),
                                new ReservationChanged(LEASE, RESERVATION, SMALL),
                                grant(REST, allocation(1)),
                                new ReservationAdjusted(
                                        LEASE, RESERVATION, List.of(new ResourceId(2)))))
                .at(HALF)
                .when(new ConfirmAdjustment(LEASE, ADJUSTING))
                .nothing();
        assertThat(reduction()).isEmpty();
    }

    @Test
    void the_confirmation_of_an_earlier_change_frees_nothing() {
        given(shrinking()).at(HALF).when(new ConfirmAdjustment(LEASE, TENURE)).nothing();
    }

    @Test
    void a_failed_change_keeps_the_old_needs_until_a_retry_is_confirmed() {
        Fault fault = new Fault(Fault.Kind.PERMANENT, "the stack failed");
        given(shrinking())
                .at(HALF)
                .when(new ReportFault(LEASE, ADJUSTING, Action.ADJUST, fault))
                .expectEvents(
                        new LeaseEvent.ReservationFailed(LEASE, RESERVATION, Action.ADJUST, fault));
        assertThat(calendar.requests()).allMatch(Nothing.class::isInstance);

        prepare();
        List<LeaseEvent> failed = with(shrinking(), failed(Action.ADJUST, "it failed"));
        given(failed)
                .at(HALF)
                .when(new RetryLease(LEASE))
                .expectEvents(new ReservationAdjusting(LEASE, ADJUSTING, List.of(), List.of()));

        prepare();
        given(with(failed, new ReservationAdjusting(LEASE, ADJUSTING, List.of(), List.of())))
                .at(HALF)
                .when(new ConfirmAdjustment(LEASE, ADJUSTING))
                .expectEvents(
                        new ReservationChanged(LEASE, RESERVATION, SMALL),
                        grant(REST, allocation(1)),
                        new ReservationAdjusted(LEASE, RESERVATION, List.of(new ResourceId(2))));
    }

    @Test
    void a_start_that_repeats_a_failed_change_frees_the_rest() {
        List<LeaseEvent> restarted =
                with(
                        shrinking(),
                        failed(Action.ADJUST, "it failed"),
                        new LeaseStarting(LEASE, List.of(TENURE)));
        given(restarted)
                .at(HALF)
                .when(new ConfirmStart(LEASE, TENURE))
                .expectEvents(
                        new ReservationActivated(LEASE, RESERVATION),
                        new ReservationChanged(LEASE, RESERVATION, SMALL),
                        grant(REST, allocation(1)),
                        new ReservationAdjusted(LEASE, RESERVATION, List.of(new ResourceId(2))),
                        new LeaseActivated(LEASE));
    }

    @Test
    void an_ending_lease_frees_nothing_by_a_confirmation() {
        given(with(shrinking(), new LeaseEnding(LEASE, EndCause.REQUESTED, List.of(ADJUSTING))))
                .at(HALF)
                .when(new ConfirmAdjustment(LEASE, ADJUSTING))
                .expectEvents(new ReservationAdjusted(LEASE, RESERVATION, List.of()));

        prepare();
        given(shrinking())
                .at(END)
                .when(new ConfirmAdjustment(LEASE, ADJUSTING))
                .expectEvents(new ReservationAdjusted(LEASE, RESERVATION, List.of()));
        assertThat(reduction()).isEmpty();
    }

    @Test
    void a_reduction_that_the_calendar_cannot_map_keeps_all_needs() {
        calendar.answerNext(new Grant.NotReduced(List.of()));
        given(shrinking())
                .at(HALF)
                .when(new ConfirmAdjustment(LEASE, ADJUSTING))
                .expectEvents(new ReservationAdjusted(LEASE, RESERVATION, List.of()));
    }

    @Test
    void resources_that_left_before_are_released_with_the_rest() {
        List<LeaseEvent> leaving =
                with(
                        running(),
                        new ReservationChanged(LEASE, RESERVATION, BOTH),
                        grant(REST, allocation(1), allocation(2)),
                        new ReservationAdjusting(
                                LEASE, ADJUSTING, List.of(), List.of(allocation(3))));
        given(leaving).at(HALF).when(new ConfirmAdjustment(LEASE, ADJUSTING));

        assertThat(reduction().orElseThrow().leaving()).containsExactly(new ResourceId(3));
        assertThat(calendar.requests()).noneMatch(LetGo.class::isInstance);
    }

    @Test
    void a_start_or_an_adjustment_with_equal_needs_asks_the_calendar_nothing() {
        given(running().subList(0, 3))
                .at(START)
                .when(new ConfirmStart(LEASE, TENURE))
                .expectEvents(
                        new ReservationActivated(LEASE, RESERVATION), new LeaseActivated(LEASE));
        prepare();
        given(with(running(), new ReservationAdjusting(LEASE, ADJUSTING, List.of(), List.of())))
                .at(HALF)
                .when(new ConfirmAdjustment(LEASE, ADJUSTING))
                .expectEvents(new ReservationAdjusted(LEASE, RESERVATION, List.of()));
        assertThat(calendar.requests()).allMatch(Nothing.class::isInstance);
    }
}
