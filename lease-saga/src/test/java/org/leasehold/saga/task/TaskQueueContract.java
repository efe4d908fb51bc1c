package org.leasehold.saga.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.saga.fakes.Samples.LEASE;
import static org.leasehold.saga.fakes.Samples.PERIOD;
import static org.leasehold.saga.fakes.Samples.RESERVATION;
import static org.leasehold.saga.fakes.Samples.TENURE;

import org.junit.jupiter.api.Test;
import org.leasehold.command.CommandContext;
import org.leasehold.command.Outcome;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.Action;
import org.leasehold.lease.Fault;
import org.leasehold.lease.LeaseCommand.ConfirmRelease;
import org.leasehold.lease.LeaseCommand.ConfirmStart;
import org.leasehold.lease.LeaseCommand.ReportFault;
import org.leasehold.readmodel.operation.StuckActionQuery;
import org.leasehold.readmodel.operation.StuckActionQuery.StuckAction;
import org.leasehold.readmodel.operation.StuckActionQuery.Target;
import org.leasehold.resource.Acting.Result;
import org.leasehold.saga.fakes.FakePlugins;
import org.leasehold.saga.fakes.Samples;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.Tenure;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The contract of {@link TaskQueue}: the rules for retries on request, and the rules of the classes
 * that this one extends.
 */
abstract class TaskQueueContract extends TaskFailureContract {

    private static final CommandContext OPERATOR =
            CommandContext.ofEngine(Samples.NOON, "req-operator", null);

    @Test
    void a_retry_under_a_new_tenure_revives_a_task_that_was_given_up() {
        plugins.answer(_ -> FakePlugins.failed(Fault.Kind.DENIED, "nova says no"));
        submit(END);
        runUntil("given up", () -> !stuckActions().isEmpty());
        assertThat(sent())
                .containsExactly(
                        new ReportFault(
                                LEASE,
                                TENURE,
                                Action.END,
                                new Fault(Fault.Kind.DENIED, "nova says no")));
        assertThat(stuckActions().getFirst().nextAttempt()).isNull();

        plugins.answer(_ -> new Result.Done());
        submit(new PluginTask.End(LEASE, RENEWED));

        runUntil("released", () -> sent().contains(new ConfirmRelease(LEASE, RENEWED)));
        runUntil("not stuck", () -> stuckActions().isEmpty());
    }

    @Test
    void a_retry_under_the_same_tenure_revives_a_task_that_was_given_up() {
        plugins.answer(_ -> FakePlugins.failed(Fault.Kind.DENIED, "nova says no"));
        submit(END);
        runUntil("given up", () -> !stuckActions().isEmpty());

        plugins.answer(_ -> new Result.Done());
        submit(END);

        runUntil("released", () -> sent().contains(new ConfirmRelease(LEASE, TENURE)));
        runUntil("not stuck", () -> stuckActions().isEmpty());
    }

    @Test
    void a_retry_that_arrives_while_a_task_is_given_up_is_executed() {
        AtomicBoolean denied = new AtomicBoolean(true);
        plugins.answer(
                _ ->
                        denied.get()
                                ? FakePlugins.failed(Fault.Kind.DENIED, "nova says no")
                                : new Result.Done());
        commands.answer(
                _ -> {
                    if (denied.getAndSet(false)) {
                        submit(END);
                    }
                    return new Outcome.Accepted<>(1);
                });
        submit(END);

        runUntil("released", () -> sent().contains(new ConfirmRelease(LEASE, TENURE)));
        assertThat(plugins.calls()).hasSize(2);
    }

    @Test
    void a_withdrawal_removes_the_stuck_task_of_a_reservation() {
        plugins.answer(_ -> FakePlugins.failed(Fault.Kind.DENIED, "nova says no"));
        submit(END);
        runUntil("given up", () -> !stuckActions().isEmpty());

        runUntil(
                "withdrawn",
                () -> {
                    tasks().withdraw(RESERVATION);
                    return stuckActions().isEmpty();
                });
        assertThat(plugins.calls()).hasSize(1);
    }

    @Test
    void a_reservation_is_busy_until_the_task_is_done_or_given_up() {
        plugins.answer(_ -> FakePlugins.failed(Fault.Kind.RETRYABLE, "nova is away"));
        assertThat(tasks().isBusy(RESERVATION)).isFalse();
        submit(START);
        runUntil("it failed", () -> !stuckActions().isEmpty());
        assertThat(tasks().isBusy(RESERVATION)).isTrue();

        plugins.answer(_ -> new Result.Done());
        tasks().retryNow();
        runUntil("it is done", () -> stuckActions().isEmpty());
        assertThat(tasks().isBusy(RESERVATION)).isFalse();

        plugins.answer(_ -> FakePlugins.failed(Fault.Kind.DENIED, "nova says no"));
        submit(END);
        runUntil("it is given up", () -> !stuckActions().isEmpty());
        assertThat(tasks().isBusy(RESERVATION)).isFalse();
    }

    @Test
    void a_failed_enrolment_is_stuck_until_an_operator_retries_it() {
        ResourceId id = new ResourceId(1);
        world.enrol(id, "node1");
        plugins.answer(_ -> FakePlugins.failed(Fault.Kind.DENIED, "nova says no"));
        submit(new PluginTask.Enrol(id, ResourceKind.PHYSICAL_HOST, "node1"));
        runUntil("it failed", () -> !stuckActions().isEmpty());

        StuckAction stuck = stuckActions().getFirst();
        assertThat(stuck.target())
                .isEqualTo(
                        new Target.Resource(
                                id,
                                ResourceKind.PHYSICAL_HOST,
                                "node1",
                                StuckActionQuery.Change.ENROL));
        assertThat(stuck.lastFault()).isEqualTo("nova says no");
        assertThat(stuck.nextAttempt()).isAfter(stuck.since());

        plugins.answer(_ -> new Result.Done());
        assertThat(retries().retry(new ResourceId(2), OPERATOR)).isFalse();
        assertThat(retries().retry(id, OPERATOR)).isTrue();
        runUntil("enrolled", () -> stuckActions().isEmpty());
        assertThat(retries().retry(id, OPERATOR)).isFalse();
        assertThat(plugins.calls()).containsExactly("enrol node1", "enrol node1");
    }

    @Test
    void an_operator_can_retry_a_failed_start_at_once() {
        plugins.answer(_ -> FakePlugins.failed(Fault.Kind.RETRYABLE, "nova is away"));
        submit(START);
        runUntil("failed", () -> !stuckActions().isEmpty());

        assertThat(stuck().retryingActions(List.of(Samples.lease(2)))).isEmpty();
        assertThat(stuck().retryingActions(List.of(Samples.lease(2), LEASE)))
                .extracting(StuckAction::lastFault)
                .containsExactly("nova is away");

        plugins.answer(_ -> new Result.Done());
        assertThat(retries().retry(Samples.lease(2), OPERATOR)).isFalse();
        assertThat(retries().retry(LEASE, OPERATOR)).isTrue();
        runUntil("the task is over", () -> stuckActions().isEmpty());

        assertThat(sent()).contains(new ConfirmStart(LEASE, TENURE));
        assertThat(retries().retry(LEASE, OPERATOR)).isFalse();
        assertThat(plugins.calls()).containsExactly("start " + RESERVATION, "start " + RESERVATION);
    }

    @Test
    void hastening_makes_a_failed_task_due_at_once() {
        plugins.answer(_ -> FakePlugins.failed(Fault.Kind.RETRYABLE, "nova is away"));
        submit(START);
        runUntil("failed", () -> !stuckActions().isEmpty());

        plugins.answer(_ -> new Result.Done());
        tasks().retryNow();

        assertThat(stuckActions())
                .allSatisfy(
                        action ->
                                assertThat(action.nextAttempt())
                                        .isBeforeOrEqualTo(clock.instant()));
        runUntil("confirmed", () -> sent().contains(new ConfirmStart(LEASE, TENURE)));
    }

    @Test
    void all_tasks_of_a_plugin_are_retried_after_an_outage() {
        ReservationId other = Samples.reservation(21);
        world.put(Samples.view(Samples.lease(2), PERIOD, other));
        plugins.answer(_ -> FakePlugins.failed(Fault.Kind.RETRYABLE, "neutron is away"));
        submit(END);
        submit(new PluginTask.End(Samples.lease(2), new Tenure(other, 7)));
        // The next pause is five minutes.
        failUntilAttempt(9);

        plugins.answer(_ -> new Result.Done());
        clock.putForward(PluginOutages.PROBE_INTERVAL);

        runUntil("released", () -> sent().contains(new ConfirmRelease(LEASE, TENURE)));
        runUntil(
                "released, too",
                () -> sent().contains(new ConfirmRelease(Samples.lease(2), new Tenure(other, 7))));
    }

    @Test
    void tasks_of_other_plugins_are_not_retried_with_them() {
        plugins.answer(_ -> FakePlugins.failed(Fault.Kind.RETRYABLE, "neutron is away"));
        submit(END);
        failUntilAttempt(9);
        Instant next = stuckActions().getFirst().nextAttempt();

        retryWaiting(new ResourceKind("network"));
        assertThat(stuckActions().getFirst().nextAttempt()).isEqualTo(next);
    }

    @Test
    void a_task_that_was_refused_keeps_the_pause() {
        ResourceId id = new ResourceId(1);
        world.enrol(id, "node1");
        plugins.answer(_ -> FakePlugins.failed(Fault.Kind.DENIED, "nova says no"));
        submit(new PluginTask.Enrol(id, ResourceKind.PHYSICAL_HOST, "node1"));
        failUntilAttempt(9);
        Instant next = stuckActions().getFirst().nextAttempt();
        assertThat(next).isAfter(clock.instant().plusSeconds(60));

        retryWaiting(ResourceKind.PHYSICAL_HOST);
        assertThat(stuckActions().getFirst().nextAttempt()).isEqualTo(next);
    }

    /** Runs all tasks until they have failed so often. */
    private void failUntilAttempt(int last) {
        for (int attempt = 1; attempt <= last; attempt++) {
            int attempts = attempt;
            runUntil("it failed", () -> hasFailed(attempts));
            if (attempt < last) {
                clock.putForward(Duration.ofMinutes(10));
            }
        }
    }

    private boolean hasFailed(int attempts) {
        return stuckActions().stream().allMatch(action -> action.attempts() == attempts)
                && !stuckActions().isEmpty();
    }
}
