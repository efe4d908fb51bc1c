package org.leasehold.command.journal;

import java.util.List;
import java.util.function.Supplier;

/**
 * An Axon aggregate that commands are to reach. Declared as a bean by the package that owns it.
 *
 * @param type the aggregate's class
 * @param absent makes one to which nothing has happened yet
 * @param collaborators what its handlers may take as parameters
 */
public record AggregateShell<T>(Class<T> type, Supplier<T> absent, List<?> collaborators) {

    public AggregateShell {
        collaborators = List.copyOf(collaborators);
    }
}
