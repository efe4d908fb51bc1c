package org.leasehold.query.rebuild;

import org.leasehold.history.RecordedEvent;

import java.util.List;

/**
 * A read model that can be rebuilt from the events. Its owner declares it as a bean. Seals are
 * none, because they prove the past: after a rebuild they would confirm edited events.
 */
public interface Rebuildable {

    String name();

    /** Begins in the current transaction, beside the served tables. */
    Draft begin();

    /** A draft that will replace the read model. */
    interface Draft {

        /** Applies the next events, each once, in order. */
        void apply(List<RecordedEvent> events);

        /** Does slow work when few events remain. */
        default void finish() {}

        /** Takes the locks that a command takes before it appends. */
        default void lockBeforeAppends() {}

        /** Takes the locks that a command takes after it appended. */
        default void lockAfterAppends() {}

        /** Puts it in place. The locks are held, and every event was applied. */
        void replace();
    }
}
