package org.leasehold.command.use;

import org.leasehold.command.journal.AggregateShell;

/** Provides the aggregate to the demo, wired as in production. */
public final class UseShell {

    private UseShell() {}

    public static AggregateShell<?> shell() {
        return new UseConfiguration().useShell();
    }
}
