package org.leasehold.command.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.command.lease.ScriptedCalendar.allocation;

import org.junit.jupiter.api.Test;
import org.leasehold.command.calendar.CalendarRequest.ReplaceFailed;
import org.leasehold.command.calendar.Grant;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Action;
import org.leasehold.lease.LeaseCommand.ReplaceFailedResource;
import org.leasehold.lease.LeaseCommand.RetryLease;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.ReservationAdjusting;
import org.leasehold.lease.LeaseEvent.ReservationGranted;
import org.leasehold.lease.LeaseEvent.ResourceFailed;
import org.leasehold.lease.LeaseEvent.ResourceRecovered;
import org.leasehold.lease.ResourceMove;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.Tenure;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Tests the replacement of failed resources of a running lease. */
class FailedResourceTest extends LeaseLifeFixture {

    private static final ResourceId FAILED = new ResourceId(2);
    private static final ResourceId OTHER = new ResourceId(5);
    private static final Tenure MOVING = new Tenure(RESERVATION, 8);
    private static final LeaseEvent LOST = new ResourceFailed(LEASE, RESERVATION, FAILED, "down");
    private static final LeaseEvent ADJUSTING =
            new ReservationAdjusting(
                    LEASE,
                    MOVING,
                    List.of(OTHER),
                    List.of(allocation(2)),
                    List.of(new ResourceMove(FAILED, OTHER)));
    private static final ReplaceFailedResource REPLACE =
            new ReplaceFailedResource(LEASE, RESERVATION, FAILED);

    private static LeaseEvent rest() {
        return new ReservationGranted(
                LEASE,
                RESERVATION,
                new LeasePeriod(START, END),
                Duration.ZERO,
                List.of(allocation(1), allocation(5)));
    }

    private void offer() {
        calendar.answerNext(
                new Grant.Held(
                        Map.of(RESERVATION, List.of(allocation(1), allocation(5))),
                        Duration.ZERO,
                        List.of(MOVING)));
    }

    @Test
    void a_running_reservation_moves_from_a_failed_resource() {
        offer();

        given(with(active(2), LOST)).at(START).when(REPLACE).expectEvents(rest(), ADJUSTING);

        assertThat(calendar.requests())
                .singleElement()
                .isInstanceOfSatisfying(
                        ReplaceFailed.class,
                        request -> assertThat(request.failed()).isEqualTo(FAILED));
    }

    @Test
    void a_resource_without_a_replacement_stays_in_the_lease() {
        given(with(active(2), LOST)).at(START).when(REPLACE).nothing();
    }

    @Test
    void a_resource_that_recovered_stays_in_the_lease() {
        given(with(active(2), LOST, new ResourceRecovered(LEASE, RESERVATION, FAILED)))
                .at(START)
                .when(REPLACE)
                .nothing();
    }

    @Test
    void a_lease_that_does_not_run_keeps_all_resources() {
        given(pending()).at(START).when(REPLACE).nothing();
        prepare();
        given(with(active(2), LOST)).at(END).when(REPLACE).nothing();
    }

    @Test
    void a_move_is_redirected_if_the_target_fails() {
        ResourceId last = new ResourceId(6);
        calendar.answerNext(
                new Grant.Held(
                        Map.of(RESERVATION, List.of(allocation(1), allocation(6))),
                        Duration.ZERO,
                        List.of(MOVING)));

        given(
                        with(
                                active(2),
                                LOST,
                                rest(),
                                ADJUSTING,
                                new ResourceFailed(LEASE, RESERVATION, OTHER, "down")))
                .at(START)
                .when(new ReplaceFailedResource(LEASE, RESERVATION, OTHER))
                .expectEvents(
                        new ReservationGranted(
                                LEASE,
                                RESERVATION,
                                new LeasePeriod(START, END),
                                Duration.ZERO,
                                List.of(allocation(1), allocation(6))),
                        new ReservationAdjusting(
                                LEASE,
                                MOVING,
                                List.of(last),
                                List.of(allocation(2), allocation(5)),
                                List.of(
                                        new ResourceMove(FAILED, last),
                                        new ResourceMove(OTHER, last))));
    }

    @Test
    void a_repeated_adjustment_keeps_the_move() {
        given(with(active(2), LOST, rest(), ADJUSTING, failed(Action.ADJUST, "no")))
                .at(START)
                .when(new RetryLease(LEASE))
                .expectEvents(
                        new ReservationAdjusting(
                                LEASE,
                                MOVING,
                                List.of(),
                                List.of(allocation(2)),
                                List.of(new ResourceMove(FAILED, OTHER))));
    }
}
