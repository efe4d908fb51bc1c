package org.leasehold.command.use;

import org.leasehold.command.journal.AggregateDefinition;

/** Provides the aggregate to the demo, wired as in production. */
public final class UseAggregateDefinition {

    private UseAggregateDefinition() {}

    public static AggregateDefinition<?> shell() {
        return new UseConfiguration().useShell();
    }
}
