package org.leasehold.runtime.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

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
import org.leasehold.runtime.health.LastWriteOutcome;
import org.leasehold.vocabulary.StoredNames;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/**
 * Counts the outcomes of commands, logs each decision in one line, and watches its write. It also
 * records the activity of the engine.
 */
final class MeteredCommands implements Commands {

    private static final Logger LOG = LoggerFactory.getLogger("org.leasehold.commands");

    private final Commands commands;
    private final DenialCounters denials;
    private final LastWriteOutcome writes;
    private final EngineCommandActivity activity;
    private final MeterRegistry registry;

    MeteredCommands(
            Commands commands,
            DenialCounters denials,
            LastWriteOutcome writes,
            EngineCommandActivity activity,
            MeterRegistry registry) {
        this.commands = commands;
        this.denials = denials;
        this.writes = writes;
        this.activity = activity;
        this.registry = registry;
        // Start at zero: for a query of growth, a counter that first appears at one has not grown.
        for (Class<?> kind : List.of(LeaseCommand.class, ResourceCommand.class)) {
            for (Class<?> command : StoredNames.ofMembers(kind).keySet()) {
                for (Class<?> outcome : StoredNames.ofMembers(Outcome.class).keySet()) {
                    counter(command, outcome);
                }
            }
        }
    }

    @Override
    public Outcome<LeaseRejection> send(LeaseCommand command, CommandContext context) {
        return recordOutcome(
                command,
                "lease_id",
                command.leaseId(),
                context,
                sendAndRecordWrite(
                        () ->
                                activity.record(
                                        command, context, () -> commands.send(command, context))));
    }

    @Override
    public Outcome<ResourceRejection> send(ResourceCommand command, CommandContext context) {
        return recordOutcome(
                command,
                "resource_id",
                command.resourceId(),
                context,
                sendAndRecordWrite(() -> commands.send(command, context)));
    }

    @Override
    public void send(PropertyVisibility command, CommandContext context) {
        commands.send(command, context);
    }

    @Override
    public void send(UseObserved command, CommandContext context) {
        commands.send(command, context);
    }

    @Override
    public Rehearsal rehearse(LeaseCommand.CreateLease command, CommandContext context) {
        return commands.rehearse(command, context);
    }

    @Override
    public ResourceId nextResourceId() {
        return commands.nextResourceId();
    }

    private <R> Outcome<R> sendAndRecordWrite(Supplier<Outcome<R>> sending) {
        Outcome<R> outcome;
        try {
            outcome = sending.get();
        } catch (RuntimeException e) {
            writes.recordFailure(e);
            throw e;
        }
        switch (outcome) {
            case Outcome.Accepted<R> accepted -> writes.recordSuccess(accepted.position());
            case Outcome.Refused<R> refused -> writes.recordSuccess(refused.position());
            // A rejected command writes nothing.
            case Outcome.Rejected<R> _ -> {}
        }
        return outcome;
    }

    private <R> Outcome<R> recordOutcome(
            Object command,
            String field,
            Object target,
            CommandContext context,
            Outcome<R> outcome) {
        counter(command.getClass(), outcome.getClass()).increment();
        if (outcome instanceof Outcome.Rejected<R>(R rejection)) {
            denials.countRejection(rejection, context);
        }
        LOG.atInfo()
                .addKeyValue("command", StoredNames.of(command.getClass()))
                .addKeyValue("outcome", outcomeName(outcome.getClass()))
                .addKeyValue(field, target)
                .addKeyValue("request_id", context.requestId())
                .log("decided");
        return outcome;
    }

    private Counter counter(Class<?> command, Class<?> outcome) {
        return Counter.builder("leasehold.commands")
                .description("Commands that were decided, by type and outcome")
                .tag("command", StoredNames.of(command))
                .tag("outcome", outcomeName(outcome))
                .register(registry);
    }

    private static String outcomeName(Class<?> outcome) {
        return StoredNames.of(outcome).toLowerCase(Locale.ROOT);
    }
}
