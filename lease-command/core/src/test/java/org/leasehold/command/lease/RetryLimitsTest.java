package org.leasehold.command.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.leasehold.command.calendar.CalendarRequest.Hold;
import org.leasehold.lease.LeaseCommand.CreateLease.Retry;
import org.leasehold.lease.LeaseRejection.InvalidRetry;
import org.leasehold.lease.LeaseRejection.TooManyRetries;

import java.time.Duration;

/** Tests the limits of retries, and their settings. */
class RetryLimitsTest extends LeaseRetryFixture {

    @Test
    void more_attempts_than_permitted_are_rejected() {
        given().when(retrying(101, INTERVAL))
                .rejected(new InvalidRetry(InvalidRetry.Part.ATTEMPTS, 100));
    }

    @Test
    void a_shorter_interval_than_permitted_is_rejected() {
        given().when(retrying(3, Duration.ofSeconds(29)))
                .rejected(new InvalidRetry(InvalidRetry.Part.INTERVAL, 30));
        assertThat(calendar.requests()).noneMatch(Hold.class::isInstance);
    }

    @Test
    void a_project_at_the_limit_of_retries_is_rejected_if_the_calendar_refuses() {
        LeaseDecider decider = new LeaseDecider(new HostOnlyPlugins(), LeaseSettings.defaults());
        Proposal proposal =
                decider.propose(
                        retrying(3, INTERVAL), new Lease.Absent(), new ProjectLeases(0, 100), NOW);
        assertThat(proposal.decide().apply(REFUSAL))
                .isEqualTo(Decision.rejected(new TooManyRetries(100)));
    }

    @Test
    void the_limits_of_retries_apply_to_their_defaults() {
        RetrySettings settings =
                new RetrySettings(11, 10, Duration.ofSeconds(1), Duration.ofSeconds(2), 1);
        Retry unspecified = new Retry(null, null);

        assertThat(settings.check(unspecified)).isEmpty();
        assertThat(settings.attempts(unspecified)).isEqualTo(10);
        assertThat(settings.interval(unspecified)).isEqualTo(Duration.ofSeconds(2));
    }

    @Test
    void the_least_interval_in_a_rejection_is_permitted() {
        RetrySettings settings = new RetrySettings(1, 10, INTERVAL, Duration.ofMillis(1500), 1);

        assertThat(settings.check(new Retry(1, Duration.ofSeconds(1))))
                .contains(new InvalidRetry(InvalidRetry.Part.INTERVAL, 2));
        assertThat(settings.check(new Retry(1, Duration.ofSeconds(2)))).isEmpty();
    }

    @Test
    void settings_without_a_meaning_are_rejected() {
        Duration second = Duration.ofSeconds(1);
        assertThatThrownBy(() -> new RetrySettings(0, 10, INTERVAL, second, 1))
                .hasMessage("leasehold.lease.retry.default-attempts is 1 to 1000: 0");
        assertThatThrownBy(() -> new RetrySettings(1, 1001, INTERVAL, second, 1))
                .hasMessage("leasehold.lease.retry.max-attempts is 1 to 1000: 1001");
        assertThatThrownBy(() -> new RetrySettings(1, 1, INTERVAL, Duration.ofMillis(999), 1))
                .hasMessageContaining("min-interval is less than a second");
        assertThatThrownBy(() -> new RetrySettings(1, 1, INTERVAL, second, 0))
                .hasMessageContaining("max-per-project is less than 1");
    }
}
