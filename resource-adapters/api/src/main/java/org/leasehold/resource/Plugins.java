package org.leasehold.resource;

import java.util.Optional;
import java.util.SortedSet;
import org.leasehold.inventory.ResourceKind;

/** The plugins that are switched on. */
public interface Plugins {

    Optional<ResourcePlugin> find(ResourceKind kind);

    /** The kinds that can be leased. */
    SortedSet<String> kinds();
}
