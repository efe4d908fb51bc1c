package org.leasehold.command.lease;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.command.Outcome;
import org.leasehold.command.calendar.Grant;
import org.leasehold.lease.LeaseCommand.RetryCreation;
import org.leasehold.lease.LeaseRejection.TooManyRetries;

import java.util.List;

/** Tests the limit of leases that are retried. */
class RetriedLeaseLimitTest extends LeaseLimitFixture {

    @Test
    void a_retried_lease_is_counted_until_it_is_refused() {
        calendar.answerNext(new Grant.HoldRefused(List.of(), 41));
        when(createWithRetry(), user()).expectSuccessfulHandlerExecution();
        assertThat(counts.noted)
                .containsExactly(PROJECT + " +1 limited", PROJECT + " +1 retried limited");

        counts.noted.clear();
        calendar.answerNext(new Grant.HoldRefused(List.of(), 41));
        when(new RetryCreation(LEASE), engine(), retried())
                .expectResultMessagePayload(new Outcome.Refused<>(List.of(), 0));
        assertThat(counts.noted).containsExactly(PROJECT + " -1", PROJECT + " -1 retried");
    }

    @Test
    void a_granted_retry_is_counted_as_unfinished_only() {
        when(new RetryCreation(LEASE), engine(), retried()).expectSuccessfulHandlerExecution();
        assertThat(counts.noted).containsExactly(PROJECT + " -1 retried");
    }

    @Test
    void a_project_at_the_limit_of_retries_gets_no_further_one() {
        counts.retried = 100;
        calendar.answerNext(new Grant.HoldRefused(List.of(), 41));
        when(createWithRetry(), user())
                .expectNoEvents()
                .expectResultMessagePayload(new Outcome.Rejected<>(new TooManyRetries(100)));
    }
}
