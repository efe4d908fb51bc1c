package org.leasehold.command;

import org.leasehold.inventory.ResourceId;

/** Has failing work of plugins done again that belongs to no lease. */
public interface Retries {

    /**
     * Does what fails for a resource again, at once. Nothing is decided by that, and nothing
     * happens that would not happen by itself, later.
     *
     * @return false if nothing fails for it
     */
    boolean retry(ResourceId resource, CommandContext context);
}
