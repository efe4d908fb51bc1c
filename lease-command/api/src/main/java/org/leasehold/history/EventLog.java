package org.leasehold.history;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;

/**
 * All stored events, read in bulk. Whoever reads lends a connection, and so chooses the transaction
 * and what it sees.
 */
public interface EventLog {

    /**
     * Reads all events after a position, in order, each once for however many want to know of it.
     * While a batch is used, the next one is read on the same connection.
     *
     * @return the position of the last one; {@code after} if there was none
     * @throws IllegalStateException if an event cannot be read: one left out makes everything after
     *     it wrong
     */
    long replay(Connection connection, long after, Reader reader) throws SQLException;

    /**
     * Reads the next events after a position, in order, so many at most.
     *
     * @throws IllegalStateException if an event cannot be read
     */
    List<RecordedEvent> after(Connection connection, long position, int limit) throws SQLException;

    /**
     * Reads what may matter after an instant of all that came before it, by position: what happened
     * to resources and properties, and the leases that were not over by then, with the cleaning
     * after them, or were refused something for later, each from its beginning on. Of those that
     * were over there is at most one more, the last that was granted anything: it knows how long
     * cleaning takes. Needs a transaction and holds a few thousand events at a time.
     *
     * @param last the position of the last event that came before
     * @throws IllegalStateException if an event cannot be read
     */
    void prologue(Connection connection, Instant until, long last, Reader reader)
            throws SQLException;

    /**
     * Reads the leases one after the other, by id, each with all of its events. Needs a transaction
     * and holds a few thousand events at a time.
     */
    void lives(Connection connection, Reader reader) throws SQLException;

    /** Everything that happened to resources and their properties, by position. */
    List<RecordedEvent> inventory(Connection connection) throws SQLException;

    /** Takes events, some at a time. */
    @FunctionalInterface
    interface Reader {

        void accept(List<RecordedEvent> events) throws SQLException;
    }
}
