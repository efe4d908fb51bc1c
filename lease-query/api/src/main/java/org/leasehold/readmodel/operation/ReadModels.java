package org.leasehold.readmodel.operation;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;
import java.util.Set;

/** The read models, and their rebuild from the events while they answer queries. */
public interface ReadModels {

    /** Returns all of them, by name, with the state of their last rebuild on this node. */
    List<ReadModel> list();

    /**
     * Starts a rebuild of some of them together: every event is read once.
     *
     * @return false if this node is rebuilding already
     * @throws IllegalArgumentException if there is no read model of such a name
     */
    boolean rebuild(Set<String> names);

    /**
     * A read model.
     *
     * @param position the position that the last rebuild has reached
     * @param last the position of the last event
     * @param began the start of the last rebuild; null when there was none since the node's start
     * @param ended its end; null while it runs
     * @param failure the reason of its failure; the table stays as it was then
     */
    record ReadModel(
            String name,
            State state,
            long position,
            long last,
            @Nullable Instant began,
            @Nullable Instant ended,
            @Nullable String failure) {}

    /** The state of the last rebuild. */
    enum State {
        /** No rebuild since the start of the node. */
        SERVED,
        REBUILDING,
        REBUILT,
        FAILED
    }
}
