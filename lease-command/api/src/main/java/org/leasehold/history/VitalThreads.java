package org.leasehold.history;

import java.util.Set;

/** A part of the engine with threads of its own, without which a node cannot do its work. */
public interface VitalThreads {

    /** Names of the threads that have ended, although nobody has stopped this part. */
    Set<String> ended();
}
