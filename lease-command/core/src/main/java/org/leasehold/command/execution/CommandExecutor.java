package org.leasehold.command.execution;

import org.axonframework.commandhandling.CommandMessage;
import org.axonframework.commandhandling.CommandResultMessage;

/** Decides commands, and stores the events. */
@FunctionalInterface
interface CommandExecutor {

    /** Returns the result after its commit. */
    CommandResultMessage<?> send(CommandMessage<?> command);
}
