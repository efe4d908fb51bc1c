package org.leasehold.command.use;

import org.leasehold.command.execution.AggregateDefinition;

/** Provides the aggregate to the demo, wired as in production. */
public final class UseAggregateDefinition {

    private UseAggregateDefinition() {}

    public static AggregateDefinition<?> shell() {
        return new UseConfiguration().useShell();
    }
}
