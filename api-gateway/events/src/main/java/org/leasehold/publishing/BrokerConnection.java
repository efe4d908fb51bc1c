package org.leasehold.publishing;

/** A connection to a broker that preserves the order. One thread uses it. */
public interface BrokerConnection {

    /** Begins a batch, whose messages are awaited together. Only the last batch is in use. */
    InFlightBatch begin();

    /** Returns true if the connection is usable, as far as it knows. */
    boolean isOpen();

    /** Closes the connection at once: queued messages must not follow those of another node. */
    void close();
}
