package org.leasehold.saga.task;

import org.leasehold.lease.ReservationId;
import org.leasehold.saga.Cause;
import org.leasehold.saga.scheduler.DurableScheduler;
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
final class PostgresTasks implements Tasks {

    private final TaskTable table;
    private final DurableScheduler scheduler;
    private final Clock clock;

    PostgresTasks(TaskTable table, DurableScheduler scheduler, Clock clock) {
        this.table = table;
        this.scheduler = scheduler;
        this.clock = clock;
    }

    @Override
    public void submit(PluginTask task, Cause cause) {
        gathered(
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
        gathered(
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
    public void hasten() {
        if (table.hasten(clock.instant()) > 0) {
            scheduler.look();
        }
    }

    private void gathered(Consumer<Gathered> change) {
        if (!TransactionSynchronizationManager.isSynchronizationActive()) {
            Gathered alone = new Gathered();
            change.accept(alone);
            alone.store();
            scheduler.look();
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
                table.makeRoomFor(submitted);
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
            scheduler.look();
        }

        @Override
        public void afterCompletion(int status) {
            TransactionSynchronizationManager.unbindResource(PostgresTasks.this);
        }
    }
}
