package org.leasehold.history;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;

/** The streams of events, one at a time, for who wants to know how something came to be. */
public interface EventStreams {

    /**
     * Reads a stream as far as it had come.
     *
     * @param last the position of the last event of all to be taken into account
     * @return its events from the first one on; none if it did not exist yet
     * @throws IllegalStateException if an event cannot be read
     */
    List<RecordedEvent> read(Connection connection, String stream, long last) throws SQLException;

    /**
     * Reads some streams as far as they had come, in no particular order of streams.
     *
     * @param last the position of the last event of all to be taken into account
     * @return the events of each from its first one on
     * @throws IllegalStateException if an event cannot be read
     */
    List<RecordedEvent> read(Connection connection, Collection<String> streams, long last)
            throws SQLException;
}
