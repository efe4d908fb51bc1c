package org.leasehold.command.lease;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.command.calendar.CalendarRequest.Hold;
import org.leasehold.command.calendar.CalendarRequest.Wanted;
import org.leasehold.lease.EndCause;
import org.leasehold.lease.LeaseCommand.AnnounceEnd;
import org.leasehold.lease.LeaseCommand.CreateLease.Retry;
import org.leasehold.lease.LeaseCommand.DeleteLease;
import org.leasehold.lease.LeaseCommand.EndLease;
import org.leasehold.lease.LeaseCommand.ForceEnd;
import org.leasehold.lease.LeaseCommand.RetryCreation;
import org.leasehold.lease.LeaseCommand.RetryLease;
import org.leasehold.lease.LeaseCommand.StartLease;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.LeaseDeleted;
import org.leasehold.lease.LeaseRejection.LeaseNotFound;
import org.leasehold.lease.LeaseRejection.WrongStatus;
import org.leasehold.lease.RetryPlan;
import org.leasehold.vocabulary.LeasePeriod;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Tests the attempts to create a lease that the calendar cannot hold at first. */
class LeaseRetryTest extends LeaseRetryFixture {

    @Test
    void a_request_that_the_calendar_holds_at_once_needs_no_retry() {
        given().when(retrying(3, INTERVAL)).expectEvents(requested(wish(1, 1)), granted(PERIOD, 1));
    }

    @Test
    void a_refused_request_is_retried_after_the_interval() {
        whenCreated(retrying(3, INTERVAL)).expectEvents(retried(1, 3, NOW.plus(INTERVAL)));
    }

    @Test
    void a_request_without_numbers_gets_those_of_the_operator() {
        RetryPlan plan =
                new RetryPlan(1, 10, Duration.ofMinutes(5), NOW.plus(Duration.ofMinutes(5)), UNTIL);
        whenCreated(retrying(null, null)).expectEvents(retried(PERIOD, plan));
    }

    @Test
    void the_last_attempt_is_at_the_start_if_the_interval_ends_later() {
        Duration hours = Duration.ofHours(5);
        whenCreated(retrying(3, hours))
                .expectEvents(retried(PERIOD, new RetryPlan(1, 3, hours, START, UNTIL)));
    }

    @Test
    void a_request_that_starts_now_is_retried_until_the_end() {
        Instant minute = Instant.parse("2030-01-01T11:30:00Z");
        LeasePeriod period = new LeasePeriod(minute, END);
        RetryPlan plan = new RetryPlan(1, 3, INTERVAL, NOW.plus(INTERVAL), END);
        whenCreated(retryingFrom(minute, new Retry(3, INTERVAL)))
                .expectEvents(retried(period, plan));
    }

    @Test
    void a_request_without_time_for_a_retry_is_refused_at_once() {
        Instant minute = Instant.parse("2030-01-01T11:30:00Z");
        whenCreated(retryingFrom(minute, new Retry(3, Duration.ofHours(3))))
                .refused()
                .expectEvents(refused(new LeasePeriod(minute, END)));
    }

    @Test
    void an_attempt_that_the_calendar_holds_has_the_events_of_a_grant() {
        givenRetried()
                .at(NOW.plus(INTERVAL))
                .when(new RetryCreation(LEASE))
                .expectEvents(requested(wish(1, 1)), granted(PERIOD, 1));
        assertThat(((Hold) calendar.requests().getFirst()).wanted())
                .extracting(Wanted::period)
                .containsExactly(PERIOD);
    }

    @Test
    void an_attempt_after_the_start_claims_the_rest_of_the_window() {
        Instant minute = Instant.parse("2030-01-01T11:30:00Z");
        LeasePeriod period = new LeasePeriod(minute, END);
        Instant next = NOW.plus(INTERVAL);
        given(retried(period, new RetryPlan(1, 3, INTERVAL, next, END)))
                .at(next)
                .when(new RetryCreation(LEASE));
        assertThat(((Hold) calendar.requests().getFirst()).wanted())
                .extracting(Wanted::period)
                .containsExactly(new LeasePeriod(next, END));
    }

    @Test
    void a_refused_attempt_is_followed_by_the_next_one() {
        Instant second = NOW.plus(INTERVAL);
        calendar.answerNext(REFUSAL);
        givenRetried()
                .at(second)
                .when(new RetryCreation(LEASE))
                .expectEvents(retried(2, 2, second.plus(INTERVAL)));
    }

    @Test
    void the_last_attempt_refuses_for_good() {
        Instant next = NOW.plus(INTERVAL);
        calendar.answerNext(REFUSAL);
        given(retried(3, 1, next))
                .at(next)
                .when(new RetryCreation(LEASE))
                .refused()
                .expectEvents(refused(PERIOD));
    }

    @Test
    void an_attempt_at_the_start_refuses_for_good_although_others_are_left() {
        calendar.answerNext(REFUSAL);
        given(retried(1, 3, START))
                .at(START)
                .when(new RetryCreation(LEASE))
                .refused()
                .expectEvents(refused(PERIOD));
    }

    @Test
    void an_attempt_beyond_the_window_refuses_without_a_calendar_request() {
        given(retried(1, 3, START))
                .at(UNTIL)
                .when(new RetryCreation(LEASE))
                .refused()
                .expectEvents(refused(PERIOD));
        assertThat(calendar.requests()).noneMatch(Hold.class::isInstance);
    }

    @Test
    void an_attempt_after_the_decision_does_nothing() {
        given(pending()).when(new RetryCreation(LEASE)).nothing();
        given(active()).when(new RetryCreation(LEASE)).nothing();
        given(refused(PERIOD)).when(new RetryCreation(LEASE)).nothing();
        given(retried(1, 3, START), new LeaseDeleted(LEASE))
                .when(new RetryCreation(LEASE))
                .nothing();
        given().when(new RetryCreation(LEASE)).rejected(new LeaseNotFound(LEASE));
    }

    @Test
    void a_deletion_ends_the_attempts_and_leaves_nothing() {
        givenRetried().when(new DeleteLease(LEASE)).expectEvents(new LeaseDeleted(LEASE));
        assertThat(calendar.requests()).noneMatch(Hold.class::isInstance);
    }

    @Test
    void a_lease_that_is_retried_cannot_be_changed_or_ended() {
        givenRetried().when(change(null, END.plusSeconds(60), null)).rejected(status("change"));
        givenRetried().when(rename("weekly")).rejected(status("change"));
        givenRetried().when(new EndLease(LEASE, EndCause.REQUESTED)).rejected(status("end"));
        givenRetried().when(new ForceEnd(LEASE)).rejected(status("force the end"));
        givenRetried().when(new RetryLease(LEASE)).rejected(status("retry"));
    }

    private static WrongStatus status(String asked) {
        return new WrongStatus("Retrying", asked);
    }

    @Test
    void a_lease_that_is_retried_neither_starts_nor_announces_the_end() {
        givenRetried().at(START).when(new StartLease(LEASE)).nothing();
        givenRetried().at(WARNING).when(new AnnounceEnd(LEASE)).nothing();
    }

    @Test
    void a_granted_attempt_is_followed_by_the_usual_life() {
        given(retried(1, 3, START), requested(wish(1, 1)), granted(PERIOD, 1))
                .at(START)
                .when(new StartLease(LEASE))
                .expectEvents(new LeaseEvent.LeaseStarting(LEASE, List.of(TENURE)));
    }
}
