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
 * The entry point of the write side. A call returns after the command's events are stored. It
 * retries conflicts with concurrent commands a limited number of times.
 */
public interface Commands {

    Outcome<LeaseRejection> send(LeaseCommand command, CommandContext context);

    Outcome<ResourceRejection> send(ResourceCommand command, CommandContext context);

    void send(PropertyVisibility command, CommandContext context);

    void send(UseObserved command, CommandContext context);

    /** Decides a command against the present state and calendar, and stores nothing. */
    Rehearsal rehearse(LeaseCommand.CreateLease command, CommandContext context);

    /**
     * Rehearses the first attempt of a request. Its retries are checked as for a real request, and
     * not made.
     */
    default Rehearsal rehearseFirstAttempt(
            LeaseCommand.CreateLease command, CommandContext context) {
        if (command.retry() != null) {
            Rehearsal retried = rehearse(command, context);
            if (retried.outcome() instanceof Outcome.Rejected) {
                return retried;
            }
        }
        return rehearse(command.withoutRetry(), context);
    }

    /** Returns a new id for a resource that will be enrolled. */
    ResourceId nextResourceId();

    /**
     * The result of a command that was not stored.
     *
     * @param events the events that the command would cause; empty if it was rejected
     */
    record Rehearsal(Outcome<LeaseRejection> outcome, List<LeaseEvent> events) {

        public Rehearsal {
            events = List.copyOf(events);
        }
    }
}
