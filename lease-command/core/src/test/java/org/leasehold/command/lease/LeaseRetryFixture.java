package org.leasehold.command.lease;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.calendar.Grant;
import org.leasehold.lease.LeaseCommand.CreateLease;
import org.leasehold.lease.LeaseCommand.CreateLease.Retry;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.LeaseRefused;
import org.leasehold.lease.LeaseEvent.LeaseRetryScheduled;
import org.leasehold.lease.RetryPlan;
import org.leasehold.vocabulary.LeasePeriod;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Requests that are retried until the calendar holds them. */
abstract class LeaseRetryFixture extends LeaseLifeFixture {

    static final Duration INTERVAL = Duration.ofMinutes(10);

    /** The first instant at which a request with this start is too late. */
    static final Instant UNTIL = START.plusSeconds(60);

    static final Grant REFUSAL = new Grant.HoldRefused(List.of(SHORTAGE), 41);

    static CreateLease retrying(@Nullable Integer attempts, @Nullable Duration interval) {
        return retryingFrom(START, new Retry(attempts, interval));
    }

    static CreateLease retryingFrom(Instant start, Retry retry) {
        return new CreateLease(
                LEASE,
                PROJECT,
                USER,
                "nightly",
                start,
                END,
                WARNING,
                List.of(wish(1, 1)),
                retry,
                null);
    }

    static LeaseEvent retried(int attempt, int left, Instant next) {
        return retried(PERIOD, new RetryPlan(attempt, left, INTERVAL, next, UNTIL));
    }

    static LeaseEvent retried(LeasePeriod period, RetryPlan plan) {
        return new LeaseRetryScheduled(
                LEASE,
                PROJECT,
                USER,
                "nightly",
                period,
                WARNING,
                List.of(wish(1, 1)),
                plan,
                List.of(SHORTAGE),
                41,
                null);
    }

    static LeaseEvent refused(LeasePeriod period) {
        return new LeaseRefused(
                LEASE,
                PROJECT,
                USER,
                "nightly",
                period,
                WARNING,
                List.of(wish(1, 1)),
                List.of(SHORTAGE),
                41,
                null);
    }

    /** Returns the state after the first refusal, with three planned attempts. */
    Given givenRetried() {
        return given(retried(1, 3, NOW.plus(INTERVAL)));
    }

    Then whenCreated(CreateLease command) {
        calendar.answerNext(REFUSAL);
        return given().when(command);
    }

    /** Returns the event of a refused early attempt. */
    static LeaseEvent early(int attempt, int left, Instant next, int count, Instant from) {
        return retried(PERIOD, new RetryPlan(attempt, left, INTERVAL, next, UNTIL, count, from));
    }
}
