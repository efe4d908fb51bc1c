package org.leasehold.command.journal;

import org.leasehold.command.CommandContext;

import java.time.Instant;
import java.util.Collection;

/**
 * Where it is kept from where commands came: what is kept belongs to the transaction of the moment.
 */
interface OriginTable {

    /** Keeps from where commands came, those of one request once. */
    void keep(Collection<CommandContext> contexts);

    /**
     * Erases what was kept before an instant.
     *
     * @return of how many requests; when it is {@code atMost}, there may be more
     */
    int forget(Instant before, int atMost);
}
