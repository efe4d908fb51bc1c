package org.leasehold.command.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.axonframework.commandhandling.GenericCommandMessage;
import org.axonframework.messaging.GenericMessage;
import org.axonframework.test.aggregate.AggregateTestFixture;
import org.axonframework.test.aggregate.ResultValidator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.leasehold.command.CommandContext;
import org.leasehold.command.Outcome;
import org.leasehold.command.calendar.CalendarRequest.Hold;
import org.leasehold.command.calendar.DecideAloneException;
import org.leasehold.command.calendar.Grant;
import org.leasehold.command.count.LeaseCounts;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.EndCause;
import org.leasehold.lease.LeaseCommand;
import org.leasehold.lease.LeaseCommand.CreateLease;
import org.leasehold.lease.LeaseCommand.CreateLease.Retry;
import org.leasehold.lease.LeaseCommand.DeleteLease;
import org.leasehold.lease.LeaseCommand.RetryCreation;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.LeaseDeleted;
import org.leasehold.lease.LeaseEvent.LeaseEnded;
import org.leasehold.lease.LeaseEvent.LeaseEnding;
import org.leasehold.lease.LeaseEvent.LeaseRequested;
import org.leasehold.lease.LeaseEvent.LeaseRetryScheduled;
import org.leasehold.lease.LeaseRejection.EndNotAfterStart;
import org.leasehold.lease.LeaseRejection.LeaseExists;
import org.leasehold.lease.LeaseRejection.TooManyLeases;
import org.leasehold.lease.LeaseRejection.TooManyRetries;
import org.leasehold.lease.ReservationWish;
import org.leasehold.lease.RetryPlan;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.UserId;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** A project has a limited number of leases that are not over. */
class LeaseLimitTest {

    private static final int MAX_LEASES = 3;

    private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
    private static final LeasePeriod PERIOD =
            new LeasePeriod(NOW.plusSeconds(60), NOW.plus(Duration.ofHours(5)));
    private static final LeaseId LEASE = new LeaseId(new UUID(0, 1));
    private static final ReservationId RESERVATION = new ReservationId(new UUID(0, 2));
    private static final ProjectId PROJECT = new ProjectId("p");
    private static final UserId USER = new UserId("u");

    private final ScriptedCalendar calendar = new ScriptedCalendar();
    private final Counts counts = new Counts();
    private AggregateTestFixture<LeaseAggregate> fixture;

    /** Returns a given number, and records changes of the count. */
    private static final class Counts implements LeaseCounts {

        private long unfinished;
        private long retried;
        private boolean full;
        private final List<String> noted = new ArrayList<>();

        @Override
        public long countUnfinished(ProjectId project) {
            return unfinished;
        }

        @Override
        public boolean isFull(ProjectId project) {
            return full;
        }

        @Override
        public void addLease(ProjectId project, boolean limited) {
            noted.add(limited ? project + " +1 limited" : project + " +1");
        }

        @Override
        public void removeLease(ProjectId project) {
            noted.add(project + " -1");
        }

        @Override
        public long countRetried(ProjectId project) {
            return retried;
        }

        @Override
        public void addRetried(ProjectId project, boolean limited) {
            noted.add(project + (limited ? " +1 retried limited" : " +1 retried"));
        }

        @Override
        public void removeRetried(ProjectId project) {
            noted.add(project + " -1 retried");
        }
    }

    @BeforeEach
    void prepare() {
        fixture =
                LeaseAggregateFixture.create(
                        LeaseSettings.ofCounts(100, MAX_LEASES), calendar, counts);
    }

    private ResultValidator<LeaseAggregate> when(
            LeaseCommand command, CommandContext context, LeaseEvent... history) {
        return fixture.given((Object[]) history)
                .when(
                        new GenericCommandMessage<>(
                                new GenericMessage<>(
                                        command, Map.of("now", NOW, "context", context)),
                                LeaseCommand.class.getName()));
    }

    private static CommandContext user() {
        return new CommandContext(NOW, "req", "u", "p", List.of("member"), "basic", null);
    }

    private static CommandContext engine() {
        return CommandContext.ofEngine(NOW, "req", null);
    }

    private static CreateLease create() {
        return create(PERIOD.end());
    }

    private static CreateLease create(Instant end) {
        return new CreateLease(
                LEASE,
                PROJECT,
                USER,
                "nightly",
                PERIOD.start(),
                end,
                null,
                List.of(wish()),
                null,
                null);
    }

    private static ReservationWish wish() {
        return new ReservationWish(
                RESERVATION, ResourceKind.PHYSICAL_HOST, HostOnlyPlugins.parameters(1, 1));
    }

    private static LeaseRequested requested() {
        return new LeaseRequested(
                LEASE, PROJECT, USER, "nightly", PERIOD, null, List.of(wish()), null);
    }

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
        calendar.answerNext(new Grant.TooFew(List.of(), 41));

        when(create(), user()).expectResultMessagePayload(new Outcome.Refused<>(List.of(), 0));

        assertThat(counts.noted).isEmpty();
    }

    @Test
    void a_retried_lease_is_counted_until_it_is_refused() {
        calendar.answerNext(new Grant.TooFew(List.of(), 41));
        when(createWithRetry(), user()).expectSuccessfulHandlerExecution();
        assertThat(counts.noted)
                .containsExactly(PROJECT + " +1 limited", PROJECT + " +1 retried limited");

        counts.noted.clear();
        calendar.answerNext(new Grant.TooFew(List.of(), 41));
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
        calendar.answerNext(new Grant.TooFew(List.of(), 41));
        when(createWithRetry(), user())
                .expectNoEvents()
                .expectResultMessagePayload(new Outcome.Rejected<>(new TooManyRetries(100)));
    }

    private static CreateLease createWithRetry() {
        return new CreateLease(
                LEASE,
                PROJECT,
                USER,
                "nightly",
                PERIOD.start(),
                PERIOD.end(),
                null,
                List.of(wish()),
                new Retry(1, Duration.ofSeconds(30)),
                null);
    }

    /** Returns a first refusal whose only further attempt is due. */
    private static LeaseRetryScheduled retried() {
        return new LeaseRetryScheduled(
                LEASE,
                PROJECT,
                USER,
                "nightly",
                PERIOD,
                null,
                List.of(wish()),
                new RetryPlan(1, 1, Duration.ofSeconds(30), NOW, PERIOD.start()),
                List.of(),
                41,
                null);
    }

    @Test
    void a_refusal_of_a_project_that_is_full_is_decided_alone() {
        calendar.answerNext(new Grant.TooFew(List.of(), 41));
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
