package org.leasehold.command.journal;

import org.leasehold.command.CommandContext;

/**
 * Keeps what callers tried in vain. What the engine tries by itself is not kept: a timer that finds
 * its lease changed is no attempt of anybody.
 */
interface DeniedAttempts {

    <R> void record(
            String target,
            Object command,
            R rejection,
            Class<? super R> rejections,
            CommandContext context);
}
