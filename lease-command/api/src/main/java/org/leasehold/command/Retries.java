package org.leasehold.command;

import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.LeaseId;

/** Has failing work of plugins done again at once. */
public interface Retries {

    /**
     * Does what fails for a resource again, at once. Nothing is decided by that, and nothing
     * happens that would not happen by itself, later.
     *
     * @return false if nothing fails for it
     */
    boolean retry(ResourceId resource, CommandContext context);

    /**
     * Does what fails for a lease, and would be tried again by itself, again at once. What was
     * given up is not done: the lease decides about that.
     *
     * @return false if nothing of the lease waits for its next try
     */
    boolean retry(LeaseId lease, CommandContext context);
}
