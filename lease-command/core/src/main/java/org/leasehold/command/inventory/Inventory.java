package org.leasehold.command.inventory;

import org.leasehold.inventory.PropertyVisibility;
import org.leasehold.inventory.ResourceCommand;
import org.leasehold.inventory.ResourceEvent;

import java.time.Instant;

/**
 * All resources as they are now, in the database, so that a grant can lock them and be sure of
 * them. Everything here belongs to the transaction of the command.
 */
interface Inventory {

    /**
     * Locks what the command is about, then looks around it. Until the transaction ends nobody is
     * granted the resource, and nobody enrols another one of the same name.
     */
    Standing standing(ResourceCommand command, Instant now);

    /** Makes the resource what the event says. */
    void record(ResourceEvent event, Instant now);

    /** Makes a property visible, or hides it. */
    void record(PropertyVisibility visibility, Instant now);
}
