package org.leasehold.saga;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.saga.fakes.Samples.LEASE;
import static org.leasehold.saga.fakes.Samples.RESERVATION;

import org.junit.jupiter.api.Test;
import org.leasehold.calendar.Shortage;
import org.leasehold.command.Outcome;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.EndCause;
import org.leasehold.lease.LeaseCommand;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.ReservationWish;
import org.leasehold.lease.RetryPlan;
import org.leasehold.saga.fakes.Await;
import org.leasehold.saga.fakes.Samples;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.UserId;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** Tests that freed capacity wakes requests that wait for another attempt. */
class SagaRetriesTest extends SagaFixture {

    @Test
    void a_deleted_lease_wakes_a_retried_request_once() {
        commands.answer(_ -> new Outcome.Accepted<>(1));
        publishGranted();
        publishOf(Samples.lease(2), retried(Samples.lease(2)));
        publish(
                new LeaseEvent.LeaseEnding(LEASE, EndCause.DELETED, List.of()),
                new LeaseEvent.LeaseEnded(LEASE, EndCause.DELETED),
                new LeaseEvent.LeaseDeleted(LEASE));

        Await.until("it is tried", () -> sent(new LeaseCommand.RetryEarly(Samples.lease(2))));
        assertThat(commands.sent())
                .filteredOn(sent -> sent.command() instanceof LeaseCommand.RetryEarly)
                .extracting(sent -> sent.context().requestId())
                .containsExactly("req-" + Samples.lease(2));
        publish(new LeaseEvent.LeaseRenamed(LEASE, "another"));
        Await.until("only the planned attempt is left", () -> timers() == 1);
        assertThat(commands.commands())
                .containsOnlyOnce(new LeaseCommand.RetryEarly(Samples.lease(2)));
    }

    @Test
    void an_enrolled_resource_wakes_a_retried_request() {
        publishOf(Samples.lease(2), retried(Samples.lease(2)));

        registerHost(NODE_1);

        Await.until("it is tried", () -> sent(new LeaseCommand.RetryEarly(Samples.lease(2))));
    }

    @Test
    void a_decided_request_waits_for_no_attempt() {
        LeaseId lease = Samples.lease(2);
        Instant next = start.minusSeconds(60);
        RetryPlan plan =
                new RetryPlan(1, 3, Duration.ofMinutes(30), next, start, 1, next.minusSeconds(1));
        publishOf(lease, retried(lease, plan));
        registerHost(NODE_1);
        Await.until("an early attempt is set", () -> attempts() == 2);

        publishOf(
                lease,
                new LeaseEvent.LeaseRefused(
                        lease,
                        new ProjectId("astronomy"),
                        new UserId("ada"),
                        "comet",
                        period,
                        null,
                        List.of(),
                        List.of(),
                        1,
                        null));
        Await.until("no attempt is left", () -> attempts() == 0);
        assertThat(rows("retried_request")).isZero();
    }

    private int attempts() {
        return rows("timer WHERE task_instance ~ '^(early|retry):'");
    }

    private void publishGranted() {
        publish(
                new LeaseEvent.LeaseRequested(
                        LEASE,
                        new ProjectId("astronomy"),
                        new UserId("ada"),
                        "telescope",
                        period,
                        null,
                        List.of(
                                new ReservationWish(
                                        RESERVATION, ResourceKind.PHYSICAL_HOST, Map.of())),
                        null),
                new LeaseEvent.ReservationGranted(
                        LEASE, RESERVATION, period, Duration.ZERO, List.of(Samples.NODE_1)));
    }

    private LeaseEvent retried(LeaseId lease) {
        return retried(
                lease, new RetryPlan(1, 3, Duration.ofMinutes(30), start.minusSeconds(60), start));
    }

    private LeaseEvent retried(LeaseId lease, RetryPlan plan) {
        return new LeaseEvent.LeaseRetryScheduled(
                lease,
                new ProjectId("astronomy"),
                new UserId("ada"),
                "comet",
                period,
                null,
                List.of(),
                plan,
                List.of(
                        new Shortage(
                                RESERVATION, ResourceKind.PHYSICAL_HOST, 1, 1, 0, period, 0, null)),
                1,
                null);
    }
}
