package org.leasehold.command.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.command.lease.ScriptedCalendar.allocation;

import org.junit.jupiter.api.Test;
import org.leasehold.command.calendar.CalendarRequest;
import org.leasehold.command.calendar.CalendarRequest.Granted;
import org.leasehold.command.calendar.Grant;
import org.leasehold.command.calendar.Grant.Replacement;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Action;
import org.leasehold.lease.EndCause;
import org.leasehold.lease.LeaseCommand.ConfirmStart;
import org.leasehold.lease.LeaseCommand.RecordOutage;
import org.leasehold.lease.LeaseCommand.ReplaceResource;
import org.leasehold.lease.LeaseCommand.RetryLease;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.LeaseActivated;
import org.leasehold.lease.LeaseEvent.LeaseDeleted;
import org.leasehold.lease.LeaseEvent.LeaseEnding;
import org.leasehold.lease.LeaseEvent.LeaseStarting;
import org.leasehold.lease.LeaseEvent.ReservationActivated;
import org.leasehold.lease.LeaseEvent.ReservationAdjusting;
import org.leasehold.lease.LeaseEvent.ResourceFailed;
import org.leasehold.lease.LeaseEvent.ResourceRecovered;
import org.leasehold.lease.LeaseEvent.ResourceReplaced;
import org.leasehold.lease.LeaseRejection.WrongStatus;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ReservationId;

import java.util.List;
import java.util.UUID;

/** Tests outages of the resources of a lease. */
class LeaseOutageTest extends LeaseLifeFixture {

    private static final Replacement REPLACEMENT =
            new Replacement(RESERVATION, new ResourceId(1), allocation(5), "it is down");

    @Test
    void an_outage_and_a_recovery_are_recorded_once() {
        given(active(2)).when(down(2)).expectEvents(lost(2));
        given(with(active(2), lost(2))).when(down(2)).nothing();
        given(with(active(2), lost(2))).when(up(2)).expectEvents(back(2));
        given(with(active(2), lost(2), back(2))).when(up(2)).nothing();
        given(with(active(2), lost(2), back(2))).when(down(2)).expectEvents(lost(2));
    }

    @Test
    void a_starting_lease_records_an_outage_and_a_recovery() {
        given(starting()).when(down(1)).expectEvents(lost(1));
        given(with(starting(), lost(1)))
                .when(new ConfirmStart(LEASE, TENURE))
                .expectEvents(
                        new ReservationActivated(LEASE, RESERVATION), new LeaseActivated(LEASE));
        given(with(starting(), lost(1), new ReservationActivated(LEASE, RESERVATION)))
                .when(up(1))
                .expectEvents(back(1));
    }

    @Test
    void an_outage_of_a_resource_outside_the_lease_has_no_effect() {
        given(active()).when(down(2)).nothing();
        given(active()).when(up(1)).nothing();
    }

    @Test
    void an_outage_before_the_start_has_no_effect() {
        given(pending()).when(down(1)).nothing();
        given(delayed()).when(down(1)).nothing();
    }

    @Test
    void a_pending_lease_gets_another_resource_with_the_reason() {
        calendar.answerNext(new Grant.Replaced(List.of(REPLACEMENT)));

        given(pending())
                .when(new ReplaceResource(LEASE, new ResourceId(1)))
                .expectEvents(
                        new ResourceReplaced(
                                LEASE,
                                RESERVATION,
                                new ResourceId(1),
                                allocation(5),
                                "it is down"));

        assertThat(calendar.requests())
                .singleElement()
                .isInstanceOfSatisfying(
                        CalendarRequest.Replace.class,
                        request ->
                                assertThat(request.reservations())
                                        .extracting(Granted::period)
                                        .containsExactly(PERIOD));
    }

    @Test
    void a_pending_lease_without_a_replacement_stays_as_it_is() {
        given(pending()).when(new ReplaceResource(LEASE, new ResourceId(1))).nothing();
    }

    @Test
    void a_replacement_of_a_resource_outside_the_lease_has_no_effect() {
        given(pending()).when(new ReplaceResource(LEASE, new ResourceId(2))).nothing();

        assertThat(calendar.requests())
                .allMatch(request -> request instanceof CalendarRequest.Nothing);
    }

    @Test
    void a_delayed_lease_tries_to_start_with_another_resource() {
        given(delayed())
                .at(START)
                .when(new ReplaceResource(LEASE, new ResourceId(1)))
                .expectEvents(new LeaseStarting(LEASE, List.of(TENURE)));
    }

    @Test
    void a_lease_that_runs_or_is_due_or_over_keeps_the_resource() {
        ReplaceResource command = new ReplaceResource(LEASE, new ResourceId(1));
        given(pending()).at(START).when(command).nothing();
        prepare();
        given(active()).at(START).when(command).nothing();
        prepare();
        given(ended()).at(START).when(command).nothing();
        prepare();
        given().at(START).when(command).nothing();
    }

    @Test
    void an_ending_or_ended_lease_records_no_outage() {
        given(ending()).when(down(1)).nothing();
        given(with(active(), lost(1), new LeaseEnding(LEASE, EndCause.REQUESTED, List.of(TENURE))))
                .when(up(1))
                .nothing();
        given(ended()).when(down(1)).nothing();
    }

    @Test
    void an_outage_of_an_absent_or_deleted_lease_has_no_effect() {
        given().when(down(1)).nothing();
        given(with(ended(), new LeaseDeleted(LEASE))).when(down(1)).nothing();
    }

    @Test
    void a_recovery_of_a_removed_resource_has_no_effect() {
        given(with(active(2), lost(2), changed(1, 1), granted(new LeasePeriod(NOW, END), 1)))
                .when(up(2))
                .nothing();
    }

    @Test
    void a_recovery_of_a_replaced_resource_has_no_effect() {
        given(
                        with(
                                starting(),
                                lost(1),
                                failed(Action.START, "no"),
                                new ResourceReplaced(
                                        LEASE,
                                        RESERVATION,
                                        new ResourceId(1),
                                        allocation(5),
                                        "it is down"),
                                new LeaseStarting(LEASE, List.of(TENURE))))
                .when(up(1))
                .nothing();
    }

    @Test
    void an_outage_of_one_reservation_does_not_affect_others() {
        ReservationId other = new ReservationId(UUID.randomUUID());
        ResourceId host = new ResourceId(1);
        given(active()).at(START).when(new RecordOutage(LEASE, host, other, "gone")).nothing();
        prepare();
        given(active())
                .at(START)
                .when(new RecordOutage(LEASE, host, RESERVATION, "it is down"))
                .expectEvents(lost(1));
        prepare();
        given(with(active(), lost(1)))
                .at(START)
                .when(new RecordOutage(LEASE, host, other, null))
                .nothing();
    }

    @Test
    void a_retry_adjusts_an_active_lease_with_an_outage_once() {
        LeaseEvent adjusting = new ReservationAdjusting(LEASE, TENURE, List.of(), List.of());
        given(with(active(), lost(1)))
                .at(START)
                .when(new RetryLease(LEASE))
                .expectEvents(adjusting);
        prepare();
        given(with(with(active(), lost(1)), adjusting))
                .at(START)
                .when(new RetryLease(LEASE))
                .nothing();
        prepare();
        given(with(with(active(), lost(1)), back(1)))
                .at(START)
                .when(new RetryLease(LEASE))
                .rejected(new WrongStatus("Active", "retry"));
    }

    private static RecordOutage down(long host) {
        return new RecordOutage(LEASE, new ResourceId(host), null, "it is down");
    }

    private static RecordOutage up(long host) {
        return new RecordOutage(LEASE, new ResourceId(host), null, null);
    }

    private static LeaseEvent lost(long host) {
        return new ResourceFailed(LEASE, RESERVATION, new ResourceId(host), "it is down");
    }

    private static LeaseEvent back(long host) {
        return new ResourceRecovered(LEASE, RESERVATION, new ResourceId(host));
    }
}
