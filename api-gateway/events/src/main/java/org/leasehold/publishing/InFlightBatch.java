package org.leasehold.publishing;

import org.leasehold.readmodel.event.EventFeed.Entry;

import java.time.Duration;

/**
 * A batch of sent events without acknowledgement. After the first failure it sends nothing more:
 * later events would overtake the failed one.
 */
public interface InFlightBatch {

    /**
     * Sends the message of an event, if there is one. It does not wait for the acknowledgement, and
     * never blocks for as long as a publication is owned.
     *
     * @throws RuntimeException if it cannot be sent, or an earlier one was not accepted
     */
    void send(Entry entry) throws InterruptedException;

    /**
     * Waits until everything is acknowledged.
     *
     * @return the number of messages without acknowledgement after the timeout
     * @throws RuntimeException if one cannot be acknowledged
     */
    int await(Duration longest) throws InterruptedException;

    /** Returns the number of bytes sent or queued. */
    long bytes();
}
