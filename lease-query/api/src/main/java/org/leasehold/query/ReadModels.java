package org.leasehold.query;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;
import java.util.Set;

/** The tables that answer questions, and making them anew from the events while they do. */
public interface ReadModels {

    /** All of them, by name, and what became of their last rebuild on this node. */
    List<ReadModel> list();

    /**
     * Begins to rebuild some of them, together: every event is read once.
     *
     * @return false if this node is rebuilding already
     * @throws IllegalArgumentException if there is no read model of such a name
     */
    boolean rebuild(Set<String> names);

    /**
     * A read model.
     *
     * @param position up to which event the last rebuild has come
     * @param last the position of the last event
     * @param began when the last rebuild began; null when there was none since the start
     * @param ended when it ended; null while it runs
     * @param failure why it failed; the table is what it was then
     */
    record ReadModel(
            String name,
            State state,
            long position,
            long last,
            @Nullable Instant began,
            @Nullable Instant ended,
            @Nullable String failure) {}

    /** What became of the last rebuild. */
    enum State {
        /** There was none since the start of the node. */
        SERVED,
        REBUILDING,
        REBUILT,
        FAILED
    }
}
