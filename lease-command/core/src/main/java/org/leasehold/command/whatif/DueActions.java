package org.leasehold.command.whatif;

import java.time.Instant;
import java.util.Comparator;
import java.util.PriorityQueue;

/** The due times of actions in a changed scenario. */
final class DueActions {

    /** The order of actions at the same instant. */
    enum Rank {
        WORLD,
        END,
        START
    }

    private final PriorityQueue<Due> queue =
            new PriorityQueue<>(
                    Comparator.comparing(Due::at)
                            .thenComparing(Due::rank)
                            .thenComparingLong(Due::number));
    private long number;

    private record Due(Instant at, Rank rank, long number, Action action) {}

    interface Action {

        void runAt(Instant instant);
    }

    void add(Instant at, Rank rank, Action action) {
        queue.add(new Due(at, rank, number++, action));
    }

    /** Runs all actions that are due by an instant. */
    void runUntil(Instant instant) {
        while (!queue.isEmpty() && !queue.element().at().isAfter(instant)) {
            Due due = queue.remove();
            due.action().runAt(due.at());
        }
    }
}
