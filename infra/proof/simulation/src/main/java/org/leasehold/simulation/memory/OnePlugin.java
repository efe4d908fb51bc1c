package org.leasehold.simulation.memory;

import org.leasehold.inventory.ResourceKind;
import org.leasehold.resource.Plugins;
import org.leasehold.resource.ResourcePlugin;

import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/** The only plug-in of the simulation. */
public record OnePlugin(ResourcePlugin plugin) implements Plugins {

    @Override
    public Optional<ResourcePlugin> find(ResourceKind kind) {
        return kind.equals(plugin.kind()) ? Optional.of(plugin) : Optional.empty();
    }

    @Override
    public SortedSet<String> kinds() {
        return new TreeSet<>(List.of(plugin.kind().value()));
    }
}
