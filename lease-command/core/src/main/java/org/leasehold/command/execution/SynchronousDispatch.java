package org.leasehold.command.execution;

import org.axonframework.commandhandling.CommandBus;
import org.axonframework.commandhandling.CommandMessage;
import org.axonframework.commandhandling.CommandResultMessage;
import org.jspecify.annotations.Nullable;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/** Dispatches synchronously: Axon's bus uses a callback, but has the result before it returns. */
final class SynchronousDispatch {

    private SynchronousDispatch() {}

    static CommandResultMessage<?> dispatch(CommandBus bus, CommandMessage<?> command) {
        AtomicReference<@Nullable CommandResultMessage<?>> reply = new AtomicReference<>();
        bus.dispatch(command, (sent, result) -> reply.set(result));
        return Objects.requireNonNull(reply.get(), "the bus answers before it returns");
    }
}
