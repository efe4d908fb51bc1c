package org.leasehold.publishing;

import org.leasehold.query.Feed.Entry;

import java.time.Duration;

/**
 * What has been sent and not been acknowledged yet. After the first failure nothing of it leaves
 * any more: what follows would overtake what has failed.
 */
public interface Flight {

    /**
     * Sends what is to be said of an event, which may be nothing. Does not wait for its
     * acknowledgement, nor for anything else as long as a publication is held for.
     *
     * @throws RuntimeException if it cannot be sent, or something before it was not taken
     */
    void send(Entry entry) throws InterruptedException;

    /**
     * Waits until everything is acknowledged.
     *
     * @return how much is not, by then
     * @throws RuntimeException if something cannot be
     */
    int await(Duration longest) throws InterruptedException;

    /** How much has been sent, or is kept to be sent. */
    long bytes();
}
