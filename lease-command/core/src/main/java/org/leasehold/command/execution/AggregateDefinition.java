package org.leasehold.command.execution;

import java.util.List;
import java.util.function.Supplier;

/**
 * An Axon aggregate that receives commands. The package that owns it declares it as a bean.
 *
 * @param type the aggregate's class
 * @param absent creates an aggregate without events
 * @param collaborators the objects that its handlers may take as parameters
 */
public record AggregateDefinition<T>(Class<T> type, Supplier<T> absent, List<?> collaborators) {

    public AggregateDefinition {
        collaborators = List.copyOf(collaborators);
    }
}
