package org.leasehold.saga.fakes;

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

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/** A fake that records the commands of leases, and returns the test's outcomes. */
public final class FakeCommands implements Commands {

    private final List<Sent> sent = new CopyOnWriteArrayList<>();
    private final List<ResourceCommand> resourceCommands = new CopyOnWriteArrayList<>();
    private final List<UseObserved> observations = new CopyOnWriteArrayList<>();
    private volatile Function<Sent, Outcome<LeaseRejection>> answer =
            _ -> new Outcome.Accepted<>(1);

    public record Sent(LeaseCommand command, CommandContext context) {}

    public void answer(Function<Sent, Outcome<LeaseRejection>> newAnswer) {
        answer = newAnswer;
    }

    public List<Sent> sent() {
        return List.copyOf(sent);
    }

    public List<LeaseCommand> commands() {
        return sent.stream().map(Sent::command).toList();
    }

    @Override
    public Outcome<LeaseRejection> send(LeaseCommand command, CommandContext context) {
        Sent now = new Sent(command, context);
        sent.add(now);
        return answer.apply(now);
    }

    public List<ResourceCommand> resourceCommands() {
        return List.copyOf(resourceCommands);
    }

    @Override
    public Outcome<ResourceRejection> send(ResourceCommand command, CommandContext context) {
        resourceCommands.add(command);
        return new Outcome.Accepted<>(1);
    }

    @Override
    public void send(PropertyVisibility command, CommandContext context) {
        throw new UnsupportedOperationException();
    }

    public List<UseObserved> observations() {
        return List.copyOf(observations);
    }

    @Override
    public void send(UseObserved command, CommandContext context) {
        observations.add(command);
    }

    @Override
    public Rehearsal rehearse(LeaseCommand.CreateLease command, CommandContext context) {
        throw new UnsupportedOperationException();
    }

    @Override
    public ResourceId nextResourceId() {
        throw new UnsupportedOperationException();
    }
}
