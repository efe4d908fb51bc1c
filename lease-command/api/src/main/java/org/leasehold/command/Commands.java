package org.leasehold.command;

import org.leasehold.inventory.PropertyVisibility;
import org.leasehold.inventory.ResourceCommand;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceRejection;
import org.leasehold.lease.LeaseCommand;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseRejection;
import org.leasehold.lease.UseObserved;

import java.util.List;

/**
 * The door to the write side. A call returns when the command's events are stored. Conflicts with
 * concurrent commands are retried inside, a bounded number of times.
 */
public interface Commands {

    Outcome<LeaseRejection> send(LeaseCommand command, CommandContext context);

    Outcome<ResourceRejection> send(ResourceCommand command, CommandContext context);

    void send(PropertyVisibility command, CommandContext context);

    void send(UseObserved command, CommandContext context);

    /** Decides a command against the present state and calendar, and leaves no trace. */
    Rehearsal rehearse(LeaseCommand.CreateLease command, CommandContext context);

    /** A new id for a resource that is about to be enrolled. */
    ResourceId nextResourceId();

    /**
     * What would have become of a command.
     *
     * @param events what would have happened; empty when it was rejected
     */
    record Rehearsal(Outcome<LeaseRejection> outcome, List<LeaseEvent> events) {

        public Rehearsal {
            events = List.copyOf(events);
        }
    }
}
