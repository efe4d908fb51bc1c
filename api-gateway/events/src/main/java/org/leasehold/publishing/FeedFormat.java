package org.leasehold.publishing;

import org.leasehold.readmodel.event.EventFeed.Entry;

import java.util.function.Function;

/** The JSON format of whole events in the feed. */
public interface FeedFormat {

    /**
     * Returns the format for projects. It reads the hidden properties now, so use it only for a
     * while.
     */
    Function<Entry, byte[]> projectFormat();

    /** Returns the format for administrators. */
    Function<Entry, byte[]> operatorFormat();
}
