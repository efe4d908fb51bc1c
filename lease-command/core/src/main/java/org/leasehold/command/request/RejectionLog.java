package org.leasehold.command.request;

import org.leasehold.command.CommandContext;

/**
 * Stores rejected commands of callers. It ignores the engine's own commands: a timer that finds its
 * lease changed is not an attempt of a caller.
 */
public interface RejectionLog {

    <R> void record(
            String target,
            Object command,
            R rejection,
            Class<? super R> rejections,
            CommandContext context);
}
