package org.leasehold.command.lease;

import org.axonframework.commandhandling.GenericCommandMessage;
import org.axonframework.messaging.GenericMessage;
import org.axonframework.test.aggregate.AggregateTestFixture;
import org.axonframework.test.aggregate.ResultValidator;
import org.junit.jupiter.api.BeforeEach;
import org.leasehold.command.CommandContext;
import org.leasehold.command.count.LeaseCounts;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.LeaseCommand;
import org.leasehold.lease.LeaseCommand.CreateLease;
import org.leasehold.lease.LeaseCommand.CreateLease.Retry;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.LeaseRequested;
import org.leasehold.lease.LeaseEvent.LeaseRetryScheduled;
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

/** A project with a limited number of leases that are not over. */
abstract class LeaseLimitFixture {

    static final int MAX_LEASES = 3;

    static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
    static final LeasePeriod PERIOD =
            new LeasePeriod(NOW.plusSeconds(60), NOW.plus(Duration.ofHours(5)));
    static final LeaseId LEASE = new LeaseId(new UUID(0, 1));
    private static final ReservationId RESERVATION = new ReservationId(new UUID(0, 2));
    static final ProjectId PROJECT = new ProjectId("p");
    private static final UserId USER = new UserId("u");

    final ScriptedCalendar calendar = new ScriptedCalendar();
    final Counts counts = new Counts();
    private AggregateTestFixture<LeaseAggregate> fixture;

    /** Returns a given number, and records changes of the count. */
    static final class Counts implements LeaseCounts {

        long unfinished;
        long retried;
        boolean full;
        final List<String> noted = new ArrayList<>();

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

    ResultValidator<LeaseAggregate> when(
            LeaseCommand command, CommandContext context, LeaseEvent... history) {
        return fixture.given((Object[]) history)
                .when(
                        new GenericCommandMessage<>(
                                new GenericMessage<>(
                                        command, Map.of("now", NOW, "context", context)),
                                LeaseCommand.class.getName()));
    }

    static CommandContext user() {
        return new CommandContext(NOW, "req", "u", "p", List.of("member"), "basic", null);
    }

    static CommandContext engine() {
        return CommandContext.ofEngine(NOW, "req", null);
    }

    static CreateLease create() {
        return create(PERIOD.end());
    }

    static CreateLease create(Instant end) {
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

    static LeaseRequested requested() {
        return new LeaseRequested(
                LEASE, PROJECT, USER, "nightly", PERIOD, null, List.of(wish()), null);
    }

    static CreateLease createWithRetry() {
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
    static LeaseRetryScheduled retried() {
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
}
