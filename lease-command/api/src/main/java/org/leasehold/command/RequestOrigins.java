package org.leasehold.command;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/** Where requests came from, which can be erased: no event is touched by that. */
public interface RequestOrigins {

    /**
     * Erases what is kept of requests, and keeps who did so.
     *
     * @param user only of the user with this id; null for everybody's
     * @param before only of requests before this instant; null for all until now
     * @param context who erases, and why
     * @return of how many requests
     */
    long erase(@Nullable String user, @Nullable Instant before, CommandContext context);
}
