package org.leasehold.query.projection;

import org.leasehold.history.RecordedEvent;

import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * A read model that follows the event log. Its row in the table {@code projection}, created
 * together with its tables, has its position. It stores state only in its tables: if a transaction
 * fails, its events are applied again.
 */
public interface Projection {

    /** Returns the name in the table {@code projection}. */
    String name();

    /** Returns its tables; only it writes them. */
    List<String> tables();

    /**
     * Returns the pause after all events are applied. Events in the pause are applied together:
     * each transaction costs the senders of commands time, even with few events.
     */
    default Duration pauseAfterBatch() {
        return Duration.ofMillis(100);
    }

    /**
     * Applies the next events, in order, in the current transaction.
     *
     * @param table returns the current name of one of its tables: they may be rebuilt beside the
     *     served ones
     */
    void apply(List<RecordedEvent> events, UnaryOperator<String> table);
}
