package org.leasehold.history;

import java.util.Set;

/** A part of the engine whose own threads a node needs for its work. */
public interface VitalThreads {

    /** Returns the names of threads that have ended although this part was not stopped. */
    Set<String> endedThreads();
}
