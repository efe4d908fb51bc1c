package org.leasehold.saga.timer;

import com.github.kagkarlsson.scheduler.task.CompletionHandler;
import com.github.kagkarlsson.scheduler.task.Execution;
import com.github.kagkarlsson.scheduler.task.helper.CustomTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;

import org.leasehold.saga.scheduler.Backoff;
import org.leasehold.saga.scheduler.PickedRows;

import java.time.Clock;
import java.time.Instant;

/** Tells db-scheduler what to do with a timer that is due. */
final class TimerTask {

    static final String NAME = "timer";

    private final Firing firing;
    private final PickedRows rows;
    private final Clock clock;

    TimerTask(Firing firing, PickedRows rows, Clock clock) {
        this.firing = firing;
        this.rows = rows;
        this.clock = clock;
    }

    CustomTask<Timer> task() {
        return Tasks.custom(NAME, Timer.class)
                // A timer is never given up: whatever went wrong, its lease must not stay behind.
                .onFailure(
                        (complete, _) ->
                                putBack(complete.getExecution(), retryAt(complete.getExecution())))
                .onDeadExecution((complete, _) -> putBack(complete.getExecution(), clock.instant()))
                .execute(
                        (instance, context) -> {
                            firing.fire(instance.getData());
                            Execution fired = context.getExecution();
                            CompletionHandler<Timer> remove = (_, _) -> rows.remove(fired);
                            return remove;
                        });
    }

    private Instant retryAt(Execution failed) {
        return clock.instant()
                .plus(Backoff.USUAL.after(failed.consecutiveFailures + 1, failed.getId()));
    }

    private void putBack(Execution execution, Instant when) {
        rows.putBack(execution, when, execution.consecutiveFailures + 1);
    }
}
