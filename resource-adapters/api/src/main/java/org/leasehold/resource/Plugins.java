package org.leasehold.resource;

import org.leasehold.inventory.ResourceKind;

import java.util.Optional;
import java.util.SortedSet;

/** The plugins that are switched on. */
public interface Plugins {

    Optional<ResourcePlugin> find(ResourceKind kind);

    /** The kinds that can be leased. */
    SortedSet<String> kinds();
}
