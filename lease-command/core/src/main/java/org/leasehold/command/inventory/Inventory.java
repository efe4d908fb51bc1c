package org.leasehold.command.inventory;

import org.leasehold.inventory.PropertyVisibility;
import org.leasehold.inventory.ResourceCommand;
import org.leasehold.inventory.ResourceEvent;

import java.time.Instant;

/**
 * The current state of all resources in the database, where a grant can lock them and rely on them.
 * Every call belongs to the transaction of the command.
 */
interface Inventory {

    /**
     * Locks the command's resource or name, then reads its situation. Until the transaction ends,
     * no lease gets the resource, and no other resource is enrolled under the name.
     */
    ResourceConstraints readConstraints(ResourceCommand command, Instant now);

    /** Applies an event to the resource. */
    void record(ResourceEvent event, Instant now);

    /** Makes a property visible, or hides it. */
    void record(PropertyVisibility visibility, Instant now);
}
