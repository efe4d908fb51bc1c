package org.leasehold.command.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.leasehold.command.Outcome;
import org.leasehold.command.calendar.CalendarRequest.Hold;
import org.leasehold.command.calendar.DecideAloneException;
import org.leasehold.command.calendar.Grant;
import org.leasehold.lease.EndCause;
import org.leasehold.lease.LeaseCommand.DeleteLease;
import org.leasehold.lease.LeaseEvent.LeaseDeleted;
import org.leasehold.lease.LeaseEvent.LeaseEnded;
import org.leasehold.lease.LeaseEvent.LeaseEnding;
import org.leasehold.lease.LeaseRejection.EndNotAfterStart;
import org.leasehold.lease.LeaseRejection.LeaseExists;
import org.leasehold.lease.LeaseRejection.TooManyLeases;

import java.util.List;

/** A project has a limited number of leases that are not over. */
class LeaseLimitTest extends LeaseLimitFixture {

    @Test
    void a_creation_at_the_limit_is_rejected_without_a_calendar_request() {
        counts.unfinished = MAX_LEASES;

        when(create(), user())
                .expectNoEvents()
                .expectResultMessagePayload(new Outcome.Rejected<>(new TooManyLeases(MAX_LEASES)));

        assertThat(calendar.requests()).noneMatch(Hold.class::isInstance);
        assertThat(counts.noted).isEmpty();
    }

    @Test
    void a_creation_below_the_limit_is_accepted_and_counted() {
        counts.unfinished = MAX_LEASES - 1;

        when(create(), user()).expectSuccessfulHandlerExecution();

        assertThat(counts.noted).containsExactly(PROJECT + " +1 limited");
    }

    @Test
    void a_creation_by_the_engine_is_counted_but_not_limited() {
        counts.unfinished = MAX_LEASES;

        when(create(), engine()).expectResultMessagePayload(new Outcome.Accepted<>(0));

        assertThat(counts.noted).containsExactly(PROJECT + " +1");
    }

    @Test
    void a_refused_lease_is_not_counted() {
        calendar.answerNext(new Grant.HoldRefused(List.of(), 41));

        when(create(), user()).expectResultMessagePayload(new Outcome.Refused<>(List.of(), 0));

        assertThat(counts.noted).isEmpty();
    }

    @Test
    void a_refusal_of_a_project_that_is_full_is_decided_alone() {
        calendar.answerNext(new Grant.HoldRefused(List.of(), 41));
        counts.full = true;

        when(create(), user()).expectException(DecideAloneException.class);
    }

    @Test
    void a_deletion_decrements_the_count() {
        when(new DeleteLease(LEASE), user(), requested()).expectSuccessfulHandlerExecution();

        assertThat(counts.noted).containsExactly(PROJECT + " -1");
    }

    @Test
    void a_deletion_of_an_ended_lease_does_not_decrement_the_count() {
        when(
                        new DeleteLease(LEASE),
                        user(),
                        requested(),
                        new LeaseEnding(LEASE, EndCause.WINDOW_OVER, List.of()),
                        new LeaseEnded(LEASE, EndCause.WINDOW_OVER))
                .expectEvents(new LeaseDeleted(LEASE));

        assertThat(counts.noted).isEmpty();
    }

    @Test
    void an_invalid_request_takes_precedence_over_the_limit() {
        counts.unfinished = MAX_LEASES;

        when(create(PERIOD.start()), user())
                .expectResultMessagePayload(
                        new Outcome.Rejected<>(
                                new EndNotAfterStart(PERIOD.start(), PERIOD.start())));
        when(create(), user(), requested())
                .expectResultMessagePayload(new Outcome.Rejected<>(new LeaseExists(LEASE)));
    }

    @Test
    void a_setting_of_zero_disables_the_limit() {
        LeaseDecider unlimited =
                new LeaseDecider(new HostOnlyPlugins(), LeaseSettings.ofCounts(100, 0));

        assertThat(
                        unlimited
                                .propose(
                                        create(),
                                        new Lease.Absent(),
                                        new ProjectLeases(1_000_000, 0),
                                        NOW)
                                .request())
                .isInstanceOf(Hold.class);
        assertThatThrownBy(() -> LeaseSettings.ofCounts(100, -1))
                .hasMessage("leasehold.lease.most-per-project is less than 0: -1");
    }

    @Test
    void a_replayed_decision_is_not_limited() {
        assertThat(
                        LeaseDecider.forReplay(new HostOnlyPlugins())
                                .propose(create(), new Lease.Absent(), NOW)
                                .request())
                .isInstanceOf(Hold.class);
    }
}
