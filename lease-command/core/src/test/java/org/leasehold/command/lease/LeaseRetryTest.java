package org.leasehold.command.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.leasehold.command.calendar.CalendarRequest.Hold;
import org.leasehold.command.calendar.CalendarRequest.Wanted;
import org.leasehold.command.calendar.Grant;
import org.leasehold.lease.EndCause;
import org.leasehold.lease.LeaseCommand.AnnounceEnd;
import org.leasehold.lease.LeaseCommand.CreateLease;
import org.leasehold.lease.LeaseCommand.CreateLease.Retry;
import org.leasehold.lease.LeaseCommand.DeleteLease;
import org.leasehold.lease.LeaseCommand.EndLease;
import org.leasehold.lease.LeaseCommand.ForceEnd;
import org.leasehold.lease.LeaseCommand.RetryCreation;
import org.leasehold.lease.LeaseCommand.RetryEarly;
import org.leasehold.lease.LeaseCommand.RetryLease;
import org.leasehold.lease.LeaseCommand.StartLease;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.LeaseDeleted;
import org.leasehold.lease.LeaseEvent.LeaseRefused;
import org.leasehold.lease.LeaseEvent.LeaseRetryScheduled;
import org.leasehold.lease.LeaseRejection.InvalidRetry;
import org.leasehold.lease.LeaseRejection.LeaseNotFound;
import org.leasehold.lease.LeaseRejection.TooManyRetries;
import org.leasehold.lease.LeaseRejection.WrongStatus;
import org.leasehold.lease.RetryPlan;
import org.leasehold.vocabulary.LeasePeriod;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Tests the attempts to create a lease that the calendar cannot hold at first. */
class LeaseRetryTest extends LeaseLifeFixture {

    private static final Duration INTERVAL = Duration.ofMinutes(10);

    /** The first instant at which a request with this start is too late. */
    private static final Instant UNTIL = START.plusSeconds(60);

    private static final Grant REFUSAL = new Grant.TooFew(List.of(SHORTAGE), 41);

    private static CreateLease retrying(@Nullable Integer attempts, @Nullable Duration interval) {
        return retryingFrom(START, new Retry(attempts, interval));
    }

    private static CreateLease retryingFrom(Instant start, Retry retry) {
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

    private static LeaseEvent retried(int attempt, int left, Instant next) {
        return retried(PERIOD, new RetryPlan(attempt, left, INTERVAL, next, UNTIL));
    }

    private static LeaseEvent retried(LeasePeriod period, RetryPlan plan) {
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

    private static LeaseEvent refused(LeasePeriod period) {
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
    private Given givenRetried() {
        return given(retried(1, 3, NOW.plus(INTERVAL)));
    }

    private Then whenCreated(CreateLease command) {
        calendar.answerNext(REFUSAL);
        return given().when(command);
    }

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
    void an_attempt_before_the_planned_time_does_nothing() {
        givenRetried()
                .at(NOW.plus(INTERVAL).minusNanos(1))
                .when(new RetryCreation(LEASE))
                .nothing();
        assertThat(calendar.requests()).noneMatch(Hold.class::isInstance);
    }

    /** Returns the event of a refused early attempt. */
    private static LeaseEvent early(int attempt, int left, Instant next, int count, Instant from) {
        return retried(PERIOD, new RetryPlan(attempt, left, INTERVAL, next, UNTIL, count, from));
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
