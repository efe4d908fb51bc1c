package org.leasehold.command.journal;

import org.axonframework.commandhandling.CommandMessage;
import org.axonframework.commandhandling.CommandResultMessage;

/** Decides commands, and stores what was decided. */
@FunctionalInterface
interface Writer {

    /** The result, once it is committed. */
    CommandResultMessage<?> send(CommandMessage<?> command);
}
