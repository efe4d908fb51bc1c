package org.leasehold.saga.task;

import com.github.kagkarlsson.scheduler.task.CompletionHandler;
import com.github.kagkarlsson.scheduler.task.Execution;
import com.github.kagkarlsson.scheduler.task.helper.CustomTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;

import org.leasehold.saga.scheduler.Backoff;
import org.leasehold.saga.scheduler.PickedRows;
import org.leasehold.saga.scheduler.Rush;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** The execution of due tasks by db-scheduler. */
final class TaskExecution {

    private static final Duration SOON = Duration.ofMillis(100);

    private final TaskRun run;
    private final TaskTable table;
    private final PickedRows rows;
    private final Clock clock;
    private final Rush rush;

    TaskExecution(TaskRun run, TaskTable table, PickedRows rows, Clock clock, Rush rush) {
        this.run = run;
        this.table = table;
        this.rows = rows;
        this.clock = clock;
        this.rush = rush;
    }

    CustomTask<SubmittedTask> task() {
        return Tasks.custom(TaskTable.TASK, SubmittedTask.class)
                // The engine itself failed, not the plug-in. The call is idempotent: retry it.
                .onFailure((complete, _) -> retry(complete.getExecution()))
                .onDeadExecution((complete, _) -> revive(complete.getExecution()))
                .execute(
                        (instance, context) ->
                                completion(
                                        context.getExecution(),
                                        verdict(instance.getData(), context.getExecution())));
    }

    private Verdict verdict(SubmittedTask submitted, Execution execution) {
        try {
            rush.awaitEnd();
            return inTurn(submitted, execution);
        } catch (InterruptedException stopping) {
            // This process stops. The task is released at once, so that it need not be found dead.
            // The flag stays cleared: the connection pool refuses an interrupted thread.
            return new Verdict.NotYet(clock.instant());
        }
    }

    private Verdict inTurn(SubmittedTask submitted, Execution execution)
            throws InterruptedException {
        Optional<TaskTable.Standing> standing = table.standing(taken(execution));
        if (standing.isEmpty()) {
            return new Verdict.Finished();
        }
        return switch (Turn.of(standing.get().sequence(), standing.get().places())) {
            case NOW -> run(submitted, standing.get(), taken(execution));
            case LATER -> new Verdict.NotYet(clock.instant().plus(SOON));
            case NEVER -> new Verdict.Finished();
        };
    }

    private Verdict run(SubmittedTask submitted, TaskTable.Standing standing, TaskTable.Taken taken)
            throws InterruptedException {
        return run.run(
                new TaskRun.Attempt(
                        submitted,
                        standing.attempts(),
                        standing.failingSince(),
                        () -> table.isStill(taken)));
    }

    private CompletionHandler<SubmittedTask> completion(Execution execution, Verdict verdict) {
        return (_, _) -> {
            switch (verdict) {
                case Verdict.Finished _ -> rows.remove(execution);
                case Verdict.NotYet notYet -> rows.putBack(execution, notYet.next(), 0);
                case Verdict.Again again ->
                        table.putBackFailed(
                                taken(execution), clock.instant(), again.next(), again.fault());
                case Verdict.GivenUp givenUp ->
                        table.park(taken(execution), clock.instant(), givenUp.fault());
            }
        };
    }

    private void retry(Execution execution) {
        int failures = execution.consecutiveFailures + 1;
        Instant next = clock.instant().plus(Backoff.USUAL.after(failures, execution.getId()));
        rows.putBack(execution, next, failures);
    }

    private void revive(Execution execution) {
        Instant now = clock.instant();
        table.putBackFailed(taken(execution), now, now, null);
    }

    private static TaskTable.Taken taken(Execution execution) {
        return new TaskTable.Taken(execution.getId(), execution.version);
    }
}
