package org.leasehold.saga.task;

import org.leasehold.saga.Cause;
import org.leasehold.saga.scheduler.DurableScheduler;
import org.leasehold.vocabulary.ReservationId;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import java.time.Clock;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The tasks in PostgreSQL. Those of one transaction are stored just before its commit, with as few
 * statements as the order allows: a batch of events may bring hundreds of tasks.
 */
final class PostgresTaskQueue implements TaskQueue {

    private final TaskTable table;
    private final FailingTaskTable failingTasks;
    private final DurableScheduler scheduler;
    private final Clock clock;

    PostgresTaskQueue(
            TaskTable table,
            FailingTaskTable failingTasks,
            DurableScheduler scheduler,
            Clock clock) {
        this.table = table;
        this.failingTasks = failingTasks;
        this.scheduler = scheduler;
        this.clock = clock;
    }

    @Override
    public void submit(PluginTask task, Cause cause) {
        collectChange(
                gathered -> {
                    if (!gathered.withdrawn.isEmpty() || !gathered.subjects.add(task.subject())) {
                        gathered.store();
                        gathered.subjects.add(task.subject());
                    }
                    gathered.submitted.add(new SubmittedTask(task, cause));
                });
    }

    @Override
    public void withdraw(ReservationId reservation) {
        collectChange(
                gathered -> {
                    if (!gathered.submitted.isEmpty()) {
                        gathered.store();
                    }
                    gathered.withdrawn.add(reservation);
                });
    }

    @Override
    public boolean isBusy(ReservationId reservation) {
        return table.isBusy(reservation);
    }

    @Override
    public void retryNow() {
        if (failingTasks.retryNow(clock.instant()) > 0) {
            scheduler.pollNow();
        }
    }

    private void collectChange(Consumer<Gathered> change) {
        if (!TransactionSynchronizationManager.isSynchronizationActive()) {
            Gathered alone = new Gathered();
            change.accept(alone);
            alone.store();
            scheduler.pollNow();
            return;
        }
        Gathered gathered = (Gathered) TransactionSynchronizationManager.getResource(this);
        if (gathered == null) {
            gathered = new Gathered();
            TransactionSynchronizationManager.bindResource(this, gathered);
            TransactionSynchronizationManager.registerSynchronization(gathered);
        }
        change.accept(gathered);
    }

    /** Either submitted tasks of different subjects, or withdrawn reservations. */
    private final class Gathered implements TransactionSynchronization {

        private final List<SubmittedTask> submitted = new ArrayList<>();
        private final Set<String> subjects = new HashSet<>();
        private final List<ReservationId> withdrawn = new ArrayList<>();

        void store() {
            if (!submitted.isEmpty()) {
                table.deleteSuperseded(submitted);
                table.insert(submitted);
            }
            if (!withdrawn.isEmpty()) {
                table.deleteIdle(withdrawn);
            }
            submitted.clear();
            subjects.clear();
            withdrawn.clear();
        }

        @Override
        public void beforeCommit(boolean readOnly) {
            store();
        }

        @Override
        public void afterCommit() {
            scheduler.pollNow();
        }

        @Override
        public void afterCompletion(int status) {
            TransactionSynchronizationManager.unbindResource(PostgresTaskQueue.this);
        }
    }
}
