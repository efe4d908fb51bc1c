package org.leasehold.saga.task;

import org.leasehold.lease.Action;

import java.util.List;

/** The readiness of a task among the tasks of its subject. */
enum TaskReadiness {
    NOW,
    /** An earlier task is not done yet. */
    LATER,
    /** A later task makes it needless. */
    NEVER;

    /**
     * A task of the subject.
     *
     * @param sequence its number in the order of submission
     * @param parked whether its retries have ended
     */
    record QueuedTask(long sequence, String verb, boolean parked) {

        private boolean supersedes(QueuedTask earlier) {
            return sequence > earlier.sequence && TaskReadiness.supersedes(verb, earlier.verb);
        }
    }

    /** Returns whether an action makes another one needless that was submitted before it. */
    static boolean supersedes(String verb, String earlier) {
        return verb.equals(Action.END.name())
                || (verb.equals(Action.START.name()) && earlier.equals(Action.PREPARE.name()));
    }

    /** Returns the readiness; a task waits for earlier ones only, so no two wait for each other. */
    static TaskReadiness of(long sequence, List<QueuedTask> tasks) {
        boolean needless =
                tasks.stream()
                        .filter(own -> own.sequence() == sequence)
                        .anyMatch(own -> tasks.stream().anyMatch(p -> p.supersedes(own)));
        if (needless) {
            return NEVER;
        }
        return tasks.stream().anyMatch(p -> p.sequence() < sequence && !p.parked()) ? LATER : NOW;
    }
}
