package org.leasehold.command.lease;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.command.calendar.CalendarRequest.Hold;
import org.leasehold.lease.LeaseCommand.RetryCreation;
import org.leasehold.lease.LeaseCommand.RetryEarly;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.LeaseDeleted;
import org.leasehold.lease.LeaseRejection.LeaseNotFound;

import java.time.Instant;

/** Tests the attempts before the planned time, because capacity was freed. */
class EarlyAttemptsTest extends LeaseRetryFixture {

    @Test
    void an_attempt_before_the_planned_time_does_nothing() {
        givenRetried()
                .at(NOW.plus(INTERVAL).minusNanos(1))
                .when(new RetryCreation(LEASE))
                .nothing();
        assertThat(calendar.requests()).noneMatch(Hold.class::isInstance);
    }

    @Test
    void a_refused_early_attempt_does_not_count() {
        Instant early = NOW.plusSeconds(60);
        Instant next = NOW.plus(INTERVAL);
        calendar.answerNext(REFUSAL);
        givenRetried()
                .at(early)
                .when(new RetryEarly(LEASE))
                .expectEvents(early(1, 3, next, 1, early.plusSeconds(30)));
        calendar.answerNext(REFUSAL);
        given(early(1, 3, next, 1, early.plusSeconds(30)))
                .at(next)
                .when(new RetryCreation(LEASE))
                .expectEvents(early(2, 2, next.plus(INTERVAL), 1, early.plusSeconds(30)));
    }

    @Test
    void an_early_attempt_that_the_calendar_holds_grants_the_lease() {
        givenRetried()
                .at(NOW.plusSeconds(1))
                .when(new RetryEarly(LEASE))
                .expectEvents(requested(wish(1, 1)), granted(PERIOD, 1));
    }

    @Test
    void an_early_attempt_waits_after_a_refused_one() {
        LeaseEvent refused = early(1, 3, NOW.plus(INTERVAL), 1, NOW.plusSeconds(30));
        given(refused).at(NOW.plusSeconds(29)).when(new RetryEarly(LEASE)).nothing();
        calendar.answerNext(REFUSAL);
        given(refused)
                .at(NOW.plusSeconds(30))
                .when(new RetryEarly(LEASE))
                .expectEvents(early(1, 3, NOW.plus(INTERVAL), 2, NOW.plusSeconds(60)));
    }

    @Test
    void a_refused_planned_attempt_does_not_end_the_pause_of_early_ones() {
        Instant next = NOW.plus(INTERVAL);
        Instant from = next.plusSeconds(20);
        LeaseEvent second = early(2, 2, next.plus(INTERVAL), 1, from);
        calendar.answerNext(REFUSAL);
        given(early(1, 3, next, 1, from))
                .at(next)
                .when(new RetryCreation(LEASE))
                .expectEvents(second);
        given(early(1, 3, next, 1, from), second)
                .at(from.minusNanos(1))
                .when(new RetryEarly(LEASE))
                .nothing();
        given(early(1, 3, next, 1, from), second)
                .at(from)
                .when(new RetryEarly(LEASE))
                .expectEvents(requested(wish(1, 1)), granted(PERIOD, 1));
    }

    @Test
    void there_are_as_many_early_attempts_as_planned_ones() {
        Instant next = NOW.plus(INTERVAL);
        given(early(2, 2, next, 3, NOW)).at(NOW).when(new RetryEarly(LEASE)).nothing();
        calendar.answerNext(REFUSAL);
        given(early(2, 2, next, 2, NOW))
                .at(NOW)
                .when(new RetryEarly(LEASE))
                .expectEvents(early(2, 2, next, 3, NOW.plusSeconds(30)));
    }

    @Test
    void an_early_attempt_never_replaces_a_planned_one() {
        given(retried(3, 1, NOW)).at(NOW).when(new RetryEarly(LEASE)).nothing();
        given(retried(3, 1, NOW)).at(UNTIL).when(new RetryEarly(LEASE)).nothing();
        assertThat(calendar.requests()).noneMatch(Hold.class::isInstance);
    }

    @Test
    void an_early_attempt_after_the_decision_does_nothing() {
        given(pending()).when(new RetryEarly(LEASE)).nothing();
        given(refused(PERIOD)).when(new RetryEarly(LEASE)).nothing();
        given(retried(1, 3, START), new LeaseDeleted(LEASE)).when(new RetryEarly(LEASE)).nothing();
        given().when(new RetryEarly(LEASE)).rejected(new LeaseNotFound(LEASE));
    }
}
