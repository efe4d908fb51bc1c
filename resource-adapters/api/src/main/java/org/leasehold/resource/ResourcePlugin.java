package org.leasehold.resource;

import org.leasehold.inventory.ResourceKind;

import java.util.Optional;

/** All that the engine needs to know to lease one kind of resource. */
public interface ResourcePlugin extends AutoCloseable {

    ResourceKind kind();

    Planning planning();

    Acting acting();

    /** Empty where a wish says all that planning needs. */
    default Optional<Completing> completing() {
        return Optional.empty();
    }

    /** Gives back what the plugin holds, such as connections. */
    @Override
    default void close() {}
}
