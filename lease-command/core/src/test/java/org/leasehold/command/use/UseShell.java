package org.leasehold.command.use;

import org.leasehold.command.journal.AggregateShell;

/** Gives the demo the aggregate as the product wires it. */
public final class UseShell {

    private UseShell() {}

    public static AggregateShell<?> shell() {
        return new UseConfiguration().useShell();
    }
}
