package org.leasehold.publishing;

import org.leasehold.query.Feed.Entry;

/** How events are told to operators: the same, whichever way it goes. */
public interface EventForm {

    /** Which engine they come from, as a URI reference. */
    String source();

    /** An event's own fields as JSON, without what is nobody's business. */
    byte[] data(Entry entry);
}
