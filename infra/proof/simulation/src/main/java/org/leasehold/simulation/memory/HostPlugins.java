package org.leasehold.simulation.memory;

import org.leasehold.inventory.ResourceKind;
import org.leasehold.resource.Acting;
import org.leasehold.resource.Planning;
import org.leasehold.resource.Plugins;
import org.leasehold.resource.ResourcePlugin;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The plug-ins of the simulation: one for hosts, and one for hosts that start after the others of
 * their lease.
 *
 * @param before the kinds that later hosts start after
 */
public record HostPlugins(ResourcePlugin hosts, Set<ResourceKind> before) implements Plugins {

    /** The kind of reservations of hosts that start after the other hosts of their lease. */
    public static final ResourceKind LATER_HOST = new ResourceKind("later:host");

    public HostPlugins {
        before = Set.copyOf(before);
    }

    public HostPlugins(ResourcePlugin hosts) {
        this(hosts, Set.of(hosts.kind()));
    }

    @Override
    public Optional<ResourcePlugin> find(ResourceKind kind) {
        if (kind.equals(hosts.kind())) {
            return Optional.of(hosts);
        }
        return kind.equals(LATER_HOST)
                ? Optional.of(new LaterHosts(hosts, before))
                : Optional.empty();
    }

    @Override
    public SortedSet<String> kinds() {
        return new TreeSet<>(List.of(hosts.kind().value(), LATER_HOST.value()));
    }

    private record LaterHosts(ResourcePlugin hosts, Set<ResourceKind> before)
            implements ResourcePlugin {

        @Override
        public ResourceKind kind() {
            return LATER_HOST;
        }

        @Override
        public Planning planning() {
            return new LaterHostPlanning(hosts.planning(), before);
        }

        @Override
        public Acting acting() {
            return new LaterHostActing(hosts.acting());
        }
    }
}
