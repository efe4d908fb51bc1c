package org.leasehold.command;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/** The stored origins of requests. You can erase them; this does not change any event. */
public interface RequestOrigins {

    /**
     * Erases origins of requests, and stores who erased them.
     *
     * @param user the id of the user whose origins are erased; null for all users
     * @param before the end of the erased period, exclusive; null for all until now
     * @param context the user who erases, and the reason
     * @return the number of requests
     */
    long erase(@Nullable String user, @Nullable Instant before, CommandContext context);
}
