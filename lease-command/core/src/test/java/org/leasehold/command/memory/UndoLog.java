package org.leasehold.command.memory;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * How to take back what the present transaction has written to tables in memory. There is one
 * thread, and so one present transaction.
 */
public final class UndoLog {

    private @Nullable Deque<Written> written;

    /**
     * Something that was written.
     *
     * @param shared whether others look at it: they must not before the commit
     */
    record Written(Runnable undo, boolean shared) {}

    /** Notes how to take back what was just written. */
    public void wrote(Runnable undo) {
        note(new Written(undo, true));
    }

    /** The same for what nobody else has anything to do with. */
    public void wroteForItself(Runnable undo) {
        note(new Written(undo, false));
    }

    private void note(Written one) {
        if (written != null) {
            written.push(one);
        }
    }

    /** Whether others may act now: nothing was written that they must not see yet. */
    public boolean isClean() {
        return written == null || written.stream().noneMatch(Written::shared);
    }

    /** Whether a transaction is under way. */
    public boolean isOpen() {
        return written != null;
    }

    /** Marks this point; to run what is returned undoes all that was written after it. */
    public Runnable mark() {
        int size = written == null ? 0 : written.size();
        return () -> backTo(size);
    }

    private void backTo(int size) {
        while (written != null && written.size() > size) {
            written.pop().undo().run();
        }
    }

    void open() {
        written = new ArrayDeque<>();
    }

    void close() {
        written = null;
    }

    void undo() {
        backTo(0);
    }

    /** Puts the present transaction aside; it is returned. */
    @Nullable Deque<Written> suspend() {
        Deque<Written> suspended = written;
        written = null;
        return suspended;
    }

    void resume(@Nullable Deque<Written> suspended) {
        written = suspended;
    }
}
