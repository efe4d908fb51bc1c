package org.leasehold.history;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;

/**
 * Reads all stored events in bulk. The caller provides the connection, and so chooses the
 * transaction and its snapshot.
 */
public interface EventLog {

    /**
     * Reads all events after a position, in order, once for all readers. While the reader handles a
     * batch, the next one is read on the same connection.
     *
     * @return the position of the last event; {@code after} if there was none
     * @throws IllegalStateException if an event cannot be read: a skipped event would make all
     *     later results wrong
     */
    long replay(Connection connection, long after, Reader reader) throws SQLException;

    /**
     * Reads at most {@code limit} events after a position, in order.
     *
     * @throws IllegalStateException if an event cannot be read
     */
    List<RecordedEvent> readAfter(Connection connection, long position, int limit)
            throws SQLException;

    /**
     * Reads the earlier events that may matter after an instant, by position. These are all events
     * of resources and properties. They are also all events of leases that were not over by then,
     * cleaning included, or that were refused something for later. Of the leases that were over, it
     * reads at most one: the last with a grant, which knows the cleaning time. Needs a transaction
     * and holds a few thousand events at a time.
     *
     * @param last the position of the last event before the instant
     * @throws IllegalStateException if an event cannot be read
     */
    void readPriorEvents(Connection connection, Instant until, long last, Reader reader)
            throws SQLException;

    /**
     * Reads the leases one by one, by id, each with all of its events. Needs a transaction and
     * holds a few thousand events at a time.
     */
    void readLeases(Connection connection, Reader reader) throws SQLException;

    /** Returns all events of resources and their properties, by position. */
    List<RecordedEvent> readInventory(Connection connection) throws SQLException;

    /** Receives events in batches. */
    @FunctionalInterface
    interface Reader {

        void accept(List<RecordedEvent> events) throws SQLException;
    }
}
