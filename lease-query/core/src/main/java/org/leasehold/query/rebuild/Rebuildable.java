package org.leasehold.query.rebuild;

import org.leasehold.history.RecordedEvent;

import java.util.List;

/**
 * A read model that can be made anew from the events. Declared as a bean by whoever keeps it. What
 * says how the events were, as seals do, is none: made anew, it would say that they were always so.
 */
public interface Rebuildable {

    String name();

    /** Begins in the present transaction, beside what is served. */
    Draft begin();

    /** What will take the place of the read model. */
    interface Draft {

        /** Takes the next events, each once, in order. */
        void apply(List<RecordedEvent> events);

        /** Hardly any event is to come: time for what takes long. */
        default void finish() {}

        /** Takes the locks that a command takes before it appends. */
        default void lockBeforeAppends() {}

        /** Takes the locks that a command takes after it appended. */
        default void lockAfterAppends() {}

        /** Puts it in place. The locks are held, and every event was applied. */
        void replace();
    }
}
