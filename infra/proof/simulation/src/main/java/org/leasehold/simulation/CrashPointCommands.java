package org.leasehold.simulation;

import org.leasehold.command.CommandContext;
import org.leasehold.command.Commands;
import org.leasehold.command.Outcome;
import org.leasehold.inventory.PropertyVisibility;
import org.leasehold.inventory.ResourceCommand;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceRejection;
import org.leasehold.lease.LeaseCommand;
import org.leasehold.lease.LeaseRejection;
import org.leasehold.lease.UseObserved;

import java.util.function.Supplier;

/** Commands around which a process may die: before a command or after it. */
record CrashPointCommands(SimulatedNode node, Commands inner) implements Commands {

    @Override
    public Outcome<LeaseRejection> send(LeaseCommand command, CommandContext context) {
        return guarded(() -> inner.send(command, context));
    }

    @Override
    public Outcome<ResourceRejection> send(ResourceCommand command, CommandContext context) {
        return guarded(() -> inner.send(command, context));
    }

    private <T> T guarded(Supplier<T> sending) {
        node.passCrashPoint("a command is about to be sent");
        T outcome = sending.get();
        node.passCrashPoint("a command was sent");
        return outcome;
    }

    @Override
    public void send(PropertyVisibility command, CommandContext context) {
        inner.send(command, context);
    }

    @Override
    public void send(UseObserved command, CommandContext context) {
        inner.send(command, context);
    }

    @Override
    public Rehearsal rehearse(LeaseCommand.CreateLease command, CommandContext context) {
        return inner.rehearse(command, context);
    }

    @Override
    public ResourceId nextResourceId() {
        return inner.nextResourceId();
    }
}
