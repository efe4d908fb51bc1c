package org.leasehold.command.inventory;

import org.leasehold.inventory.ResourceEvent;

/** Signals stored events that no series of decisions can produce. */
final class CorruptResourceHistory extends RuntimeException {

    private static final long serialVersionUID = 1L;

    CorruptResourceHistory(Resource resource, ResourceEvent event) {
        super(event + " cannot happen to " + resource);
    }
}
