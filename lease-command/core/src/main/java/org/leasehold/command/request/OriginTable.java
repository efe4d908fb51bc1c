package org.leasehold.command.request;

import org.leasehold.command.CommandContext;

import java.time.Instant;
import java.util.Collection;

/** The table of the origins of commands. Writes belong to the current transaction. */
public interface OriginTable {

    /** Stores the origins of commands, once for each request. */
    void storeOrigins(Collection<CommandContext> contexts);

    /**
     * Erases the origins from before an instant.
     *
     * @return the number of requests; if it is {@code limit}, there may be more
     */
    int eraseBefore(Instant before, int limit);
}
