package org.leasehold.command.calendar.replay;

import org.leasehold.command.calendar.stored.Savepoints;

import java.util.ArrayDeque;
import java.util.Deque;

/** Undoes the writes in memory since a savepoint. */
final class InMemorySavepoints implements Savepoints {

    private final Deque<Runnable> undoActions = new ArrayDeque<>();

    /** Registers the undoing of the last write. */
    void registerUndo(Runnable undo) {
        undoActions.push(undo);
    }

    /** Sets the savepoint; earlier writes cannot be undone any more. */
    @Override
    public Runnable setSavepoint() {
        undoActions.clear();
        return () -> {
            while (!undoActions.isEmpty()) {
                undoActions.pop().run();
            }
        };
    }
}
