package org.leasehold.command.inventory;

import org.leasehold.inventory.ResourceEvent;
import org.leasehold.inventory.ResourceRejection;

import java.util.List;

/** What a command to a resource comes to. */
sealed interface ResourceDecision {

    /**
     * It happens.
     *
     * @param events empty when everything is as it should be already
     */
    record Accepted(List<ResourceEvent> events) implements ResourceDecision {

        public Accepted {
            events = List.copyOf(events);
        }
    }

    record Rejected(ResourceRejection rejection) implements ResourceDecision {}
}
