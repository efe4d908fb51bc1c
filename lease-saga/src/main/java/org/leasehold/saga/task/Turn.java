package org.leasehold.saga.task;

import org.leasehold.lease.Action;

import java.util.List;

/** Whether it is a task's turn among the tasks of its subject. */
enum Turn {
    NOW,
    /** Something earlier is not done yet. */
    LATER,
    /** Something has been submitted since that makes it needless. */
    NEVER;

    /**
     * A task of the subject.
     *
     * @param sequence the place in the order of submission
     * @param parked whether it was given up
     */
    record Place(long sequence, String verb, boolean parked) {

        private boolean makesNeedless(Place earlier) {
            return sequence > earlier.sequence && Turn.makesNeedless(verb, earlier.verb);
        }
    }

    /** Whether an action leaves nothing to be done of another one that was submitted before it. */
    static boolean makesNeedless(String verb, String earlier) {
        return verb.equals(Action.END.name())
                || (verb.equals(Action.START.name()) && earlier.equals(Action.PREPARE.name()));
    }

    /** Only what is earlier is waited for, so that no two tasks ever wait for each other. */
    static Turn of(long sequence, List<Place> places) {
        boolean needless =
                places.stream()
                        .filter(own -> own.sequence() == sequence)
                        .anyMatch(own -> places.stream().anyMatch(p -> p.makesNeedless(own)));
        if (needless) {
            return NEVER;
        }
        return places.stream().anyMatch(p -> p.sequence() < sequence && !p.parked()) ? LATER : NOW;
    }
}
