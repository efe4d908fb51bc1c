package org.leasehold.query.projection;

import org.leasehold.history.RecordedEvent;

import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * A read model that follows the events. Its row in the table {@code projection}, made together with
 * its tables, says how far it is. It remembers nothing but in its tables: what it is told in a
 * transaction that fails it is told again.
 */
public interface Projection {

    /** As in the table {@code projection}. */
    String name();

    /** What it writes; nobody else does. */
    List<String> tables();

    /**
     * How long it rests when it has taken all events. What follows meanwhile is taken together:
     * each transaction costs those who send commands, however little there is to take.
     */
    default Duration rest() {
        return Duration.ofMillis(100);
    }

    /**
     * Takes the next events, in order, in the present transaction.
     *
     * @param table says what one of its tables is called now: they may be made anew beside those
     *     that are served
     */
    void apply(List<RecordedEvent> events, UnaryOperator<String> table);
}
