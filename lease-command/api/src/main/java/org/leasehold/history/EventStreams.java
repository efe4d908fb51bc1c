package org.leasehold.history;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;

/** Reads single event streams, to explain how a state came about. */
public interface EventStreams {

    /**
     * Reads a stream up to a position.
     *
     * @param last the last event position to read
     * @return the events from the first one on; empty if the stream did not exist yet
     * @throws IllegalStateException if an event cannot be read
     */
    List<RecordedEvent> read(Connection connection, String stream, long last) throws SQLException;

    /**
     * Reads some streams up to a position; the order of the streams is undefined.
     *
     * @param last the last event position to read
     * @return the events of each stream from its first one on
     * @throws IllegalStateException if an event cannot be read
     */
    List<RecordedEvent> read(Connection connection, Collection<String> streams, long last)
            throws SQLException;
}
