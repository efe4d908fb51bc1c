package org.leasehold.command;

import org.leasehold.inventory.ResourceId;
import org.leasehold.vocabulary.LeaseId;

/** Retries failing tasks of plug-ins at once. */
public interface TaskRetries {

    /**
     * Retries the failing task of a resource at once. The call decides nothing. Everything that it
     * causes would also happen without it, later.
     *
     * @return false if no task fails for the resource
     */
    boolean retry(ResourceId resource, CommandContext context);

    /**
     * Retries at once the failing tasks of a lease that have a next attempt. Abandoned tasks stay
     * as they are: the lease decides about them.
     *
     * @return false if no task of the lease waits for its next attempt
     */
    boolean retry(LeaseId lease, CommandContext context);
}
