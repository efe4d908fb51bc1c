package org.leasehold.publishing;

import org.leasehold.readmodel.event.EventFeed.Entry;

/** The format of events for operators, the same for every channel. */
public interface EventFormat {

    /** Returns the name of the engine, as a URI reference. */
    String installation();

    /** Returns the engine and the epoch of an event, by its position, as a URI reference. */
    String source(long position);

    /** Returns an event's own fields as redacted JSON. */
    byte[] data(Entry entry);
}
