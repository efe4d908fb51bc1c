package org.leasehold.saga.task;

import org.leasehold.lease.Action;

import java.util.List;

/** Whether it is a task's turn among the tasks of its subject. */
enum Turn {
    NOW,
    /** Something earlier is not done yet. */
    LATER,
    /** An end has been submitted since: there is nothing to be done any more. */
    NEVER;

    /**
     * A task of the subject.
     *
     * @param sequence the place in the order of submission
     * @param parked whether it was given up
     */
    record Place(long sequence, String verb, boolean parked) {}

    /** Only what is earlier is waited for, so that no two tasks ever wait for each other. */
    static Turn of(long sequence, List<Place> places) {
        if (places.stream()
                .anyMatch(p -> p.sequence() > sequence && p.verb().equals(Action.END.name()))) {
            return NEVER;
        }
        return places.stream().anyMatch(p -> p.sequence() < sequence && !p.parked()) ? LATER : NOW;
    }
}
