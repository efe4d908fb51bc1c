package org.leasehold.command.whatif;

import java.time.Instant;
import java.util.Comparator;
import java.util.PriorityQueue;

/** The due times of actions in a changed world. */
final class Agenda {

    /** The order of actions at the same instant. */
    enum Rank {
        WORLD,
        END,
        START
    }

    private final PriorityQueue<Due> dues =
            new PriorityQueue<>(
                    Comparator.comparing(Due::at)
                            .thenComparing(Due::rank)
                            .thenComparingLong(Due::number));
    private long number;

    private record Due(Instant at, Rank rank, long number, Action action) {}

    interface Action {

        void at(Instant instant);
    }

    void add(Instant at, Rank rank, Action action) {
        dues.add(new Due(at, rank, number++, action));
    }

    /** Runs all actions that are due by an instant. */
    void runUntil(Instant instant) {
        while (!dues.isEmpty() && !dues.element().at().isAfter(instant)) {
            Due due = dues.remove();
            due.action().at(due.at());
        }
    }
}
