package org.leasehold.command.inventory;

import org.leasehold.inventory.ResourceEvent;
import org.leasehold.inventory.ResourceRejection;

import java.util.List;

/** The decision about a command for a resource. */
sealed interface ResourceDecision {

    /**
     * The command is accepted.
     *
     * @param events empty if the resource is in the requested state already
     */
    record Accepted(List<ResourceEvent> events) implements ResourceDecision {

        public Accepted {
            events = List.copyOf(events);
        }
    }

    record Rejected(ResourceRejection rejection) implements ResourceDecision {}
}
