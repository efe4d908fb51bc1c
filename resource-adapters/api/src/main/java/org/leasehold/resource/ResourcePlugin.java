package org.leasehold.resource;

import org.leasehold.inventory.ResourceKind;

/** All that the engine needs to know to lease one kind of resource. */
public interface ResourcePlugin extends AutoCloseable {

    ResourceKind kind();

    Planning planning();

    Acting acting();

    /** Gives back what the plugin holds, such as connections. */
    @Override
    default void close() {}
}
