package org.leasehold.command.memory;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The undo log of the present transaction on tables in memory. There is one thread, and so one
 * present transaction.
 */
public final class UndoLog {

    private @Nullable Deque<Written> written;

    /**
     * A write.
     *
     * @param shared true if others read it: they must not do so before the commit
     */
    record Written(Runnable undo, boolean shared) {}

    /** Records the undo of the last write. */
    public void wrote(Runnable undo) {
        push(new Written(undo, true));
    }

    /** Records the undo of a write that no others read. */
    public void wroteForItself(Runnable undo) {
        push(new Written(undo, false));
    }

    private void push(Written one) {
        if (written != null) {
            written.push(one);
        }
    }

    /** Returns true if others may act now: no write is hidden from them. */
    public boolean isClean() {
        return written == null || written.stream().noneMatch(Written::shared);
    }

    /** Returns true if a transaction is open. */
    public boolean isOpen() {
        return written != null;
    }

    /** Marks this point; the result undoes all later writes. */
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

    /** Suspends and returns the present transaction. */
    @Nullable Deque<Written> suspend() {
        Deque<Written> suspended = written;
        written = null;
        return suspended;
    }

    void resume(@Nullable Deque<Written> suspended) {
        written = suspended;
    }
}
