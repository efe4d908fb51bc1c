package org.leasehold.saga.task;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceKind;

import java.time.Instant;

/**
 * A task of a queue in memory, and the state of the task.
 *
 * @param version another one whenever it is taken or put back
 * @param takenBy null while no node has it
 */
record InMemoryTaskRow(
        SubmittedTask submitted,
        long sequence,
        long version,
        @Nullable String takenBy,
        Instant next,
        int attempts,
        @Nullable Instant failingSince,
        @Nullable String lastFault,
        @Nullable ResourceKind waitsFor,
        boolean parked,
        boolean resubmitted) {

    PluginTask task() {
        return submitted.task();
    }

    String key() {
        return task().key();
    }

    boolean isOf(String subject) {
        return task().subject().equals(subject);
    }

    TaskReadiness.QueuedTask toQueuedTask() {
        return new TaskReadiness.QueuedTask(sequence, task().verb(), parked);
    }

    InMemoryTaskRow takenBy(String node) {
        return new InMemoryTaskRow(
                submitted,
                sequence,
                version + 1,
                node,
                next,
                attempts,
                failingSince,
                lastFault,
                waitsFor,
                parked,
                resubmitted);
    }

    InMemoryTaskRow putBack(Instant when) {
        return new InMemoryTaskRow(
                submitted,
                sequence,
                version + 1,
                null,
                when,
                attempts,
                failingSince,
                lastFault,
                waitsFor,
                parked,
                resubmitted);
    }

    InMemoryTaskRow failed(
            Instant now, Instant when, @Nullable String fault, @Nullable ResourceKind plugin) {
        return new InMemoryTaskRow(
                submitted,
                sequence,
                version + 1,
                null,
                when,
                attempts + 1,
                failingSince == null ? now : failingSince,
                fault,
                plugin,
                false,
                false);
    }

    InMemoryTaskRow parked(Instant now, String fault) {
        InMemoryTaskRow failed = failed(now, now, fault, null);
        return resubmitted ? failed.revived(now) : failed.parked(true);
    }

    InMemoryTaskRow revived(Instant when) {
        return new InMemoryTaskRow(
                submitted,
                sequence,
                version,
                takenBy,
                when,
                0,
                null,
                lastFault,
                waitsFor,
                false,
                resubmitted);
    }

    private InMemoryTaskRow parked(boolean now) {
        return new InMemoryTaskRow(
                submitted,
                sequence,
                version,
                takenBy,
                next,
                attempts,
                failingSince,
                lastFault,
                waitsFor,
                now,
                resubmitted);
    }

    InMemoryTaskRow submittedAgain(Instant when) {
        InMemoryTaskRow awake = parked ? revived(when) : this;
        return new InMemoryTaskRow(
                awake.submitted,
                awake.sequence,
                awake.version,
                awake.takenBy,
                awake.next,
                awake.attempts,
                awake.failingSince,
                awake.lastFault,
                awake.waitsFor,
                false,
                takenBy != null);
    }

    InMemoryTaskRow at(Instant when) {
        return new InMemoryTaskRow(
                submitted,
                sequence,
                version,
                takenBy,
                when,
                attempts,
                failingSince,
                lastFault,
                waitsFor,
                parked,
                resubmitted);
    }
}
