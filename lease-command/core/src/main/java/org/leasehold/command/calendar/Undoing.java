package org.leasehold.command.calendar;

import java.util.ArrayDeque;
import java.util.Deque;

/** What was written in memory since a mark, to take it back. */
final class Undoing implements Savepoints {

    private final Deque<Runnable> writings = new ArrayDeque<>();

    /** How to take back what was just written. */
    void by(Runnable undo) {
        writings.push(undo);
    }

    /** What was written before is there to stay. */
    @Override
    public Runnable mark() {
        writings.clear();
        return () -> {
            while (!writings.isEmpty()) {
                writings.pop().run();
            }
        };
    }
}
