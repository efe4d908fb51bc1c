package org.leasehold.saga.task;

import com.github.kagkarlsson.scheduler.task.CompletionHandler;
import com.github.kagkarlsson.scheduler.task.Execution;
import com.github.kagkarlsson.scheduler.task.helper.CustomTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;

import org.leasehold.history.Backoff;
import org.leasehold.saga.scheduler.PickedExecutions;
import org.leasehold.saga.scheduler.TimerBacklog;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** The execution of due tasks by db-scheduler. */
final class TaskDispatcher {

    private static final Duration RETRY_INTERVAL = Duration.ofMillis(100);

    private final TaskRunner runner;
    private final TaskTable table;
    private final PickedExecutions executions;
    private final Clock clock;
    private final TimerBacklog backlog;

    TaskDispatcher(
            TaskRunner run,
            TaskTable table,
            PickedExecutions rows,
            Clock clock,
            TimerBacklog rush) {
        this.runner = run;
        this.table = table;
        this.executions = rows;
        this.clock = clock;
        this.backlog = rush;
    }

    CustomTask<SubmittedTask> task() {
        return Tasks.custom(TaskTable.TASK_NAME, SubmittedTask.class)
                // The engine itself failed, not the plug-in. The call is idempotent: retry it.
                .onFailure((complete, _) -> retry(complete.getExecution()))
                .onDeadExecution((complete, _) -> rescheduleDead(complete.getExecution()))
                .execute(
                        (instance, context) ->
                                completion(
                                        context.getExecution(),
                                        runAfterBacklog(
                                                instance.getData(), context.getExecution())));
    }

    private Verdict runAfterBacklog(SubmittedTask submitted, Execution execution) {
        try {
            backlog.awaitEnd();
            return runIfReady(submitted, execution);
        } catch (InterruptedException stopping) {
            // This process stops. The task is released at once, so that it need not be found dead.
            // The flag stays cleared: the connection pool refuses an interrupted thread.
            return new Verdict.NotYet(clock.instant());
        }
    }

    private Verdict runIfReady(SubmittedTask submitted, Execution execution)
            throws InterruptedException {
        Optional<TaskTable.Standing> standing = table.readState(takenRow(execution));
        if (standing.isEmpty()) {
            return new Verdict.Finished();
        }
        return switch (TaskReadiness.of(standing.get().sequence(), standing.get().queuedTasks())) {
            case NOW -> run(submitted, standing.get(), takenRow(execution));
            case LATER -> new Verdict.NotYet(clock.instant().plus(RETRY_INTERVAL));
            case NEVER -> new Verdict.Finished();
        };
    }

    private Verdict run(SubmittedTask submitted, TaskTable.Standing standing, TaskTable.Taken taken)
            throws InterruptedException {
        return runner.run(
                new TaskAttempt(
                        submitted,
                        standing.attempts(),
                        standing.failingSince(),
                        () -> table.isStillOwned(taken)));
    }

    private CompletionHandler<SubmittedTask> completion(Execution execution, Verdict verdict) {
        return (_, _) -> {
            switch (verdict) {
                case Verdict.Finished _ -> executions.remove(execution);
                case Verdict.NotYet notYet -> executions.reschedule(execution, notYet.next(), 0);
                case Verdict.Again again ->
                        table.rescheduleFailed(
                                takenRow(execution),
                                clock.instant(),
                                again.next(),
                                again.fault(),
                                again.waitsFor());
                case Verdict.GivenUp givenUp ->
                        table.park(takenRow(execution), clock.instant(), givenUp.fault());
            }
        };
    }

    private void retry(Execution execution) {
        int failures = execution.consecutiveFailures + 1;
        Instant next =
                clock.instant().plus(Backoff.DEFAULT.delayAfter(failures, execution.getId()));
        executions.reschedule(execution, next, failures);
    }

    private void rescheduleDead(Execution execution) {
        Instant now = clock.instant();
        table.rescheduleFailed(takenRow(execution), now, now, null, null);
    }

    private static TaskTable.Taken takenRow(Execution execution) {
        return new TaskTable.Taken(execution.getId(), execution.version);
    }
}
