package org.leasehold.simulation.memory;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.ReservationWish;
import org.leasehold.resource.Acting;
import org.leasehold.resource.Planning;
import org.leasehold.resource.Plugins;
import org.leasehold.resource.ResourcePlugin;

import java.util.List;
import java.util.Map;
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
            return new LaterPlanning(hosts.planning(), before);
        }

        @Override
        public Acting acting() {
            return hosts.acting();
        }
    }

    private record LaterPlanning(Planning hosts, Set<ResourceKind> before) implements Planning {

        @Override
        public Plan plan(Map<String, @Nullable Object> parameters) {
            return hosts.plan(parameters);
        }

        @Override
        public Plan change(
                Map<String, @Nullable Object> current,
                Map<String, @Nullable Object> changes,
                boolean running) {
            return hosts.change(current, changes, running);
        }

        @Override
        public boolean preparesStart(Map<String, @Nullable Object> parameters) {
            return hosts.preparesStart(parameters);
        }

        @Override
        public Set<ResourceKind> startsAfter() {
            return before;
        }

        @Override
        public Map<String, @Nullable Object> render(ReservationWish wish) {
            return hosts.render(wish);
        }

        @Override
        public String plural() {
            return hosts.plural();
        }
    }
}
