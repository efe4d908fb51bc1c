package org.leasehold.publishing;

import org.leasehold.query.Feed.Entry;

import java.util.function.Function;

/** Whole events as the feed tells them, in JSON. */
public interface FeedForm {

    /**
     * As a project is told of its leases. What is hidden is looked up now: for a while, but not for
     * long.
     */
    Function<Entry, byte[]> toProjects();

    /** As administrators are told. */
    Function<Entry, byte[]> toOperators();
}
