package org.leasehold.command.lease;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.ReservationWish;
import org.leasehold.resource.Acting;
import org.leasehold.resource.Planning;
import org.leasehold.resource.Plugins;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.host.HostPlanning;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/** Plug-ins whose kinds start after each other, all planned like hosts. */
final class LayeredPlugins implements Plugins {

    static final ResourceKind HOST = ResourceKind.PHYSICAL_HOST;
    static final ResourceKind NETWORK = ResourceKind.NETWORK;
    static final ResourceKind SERVER = ResourceKind.SERVER;
    static final ResourceKind STACK = ResourceKind.STACK;

    private static final Map<ResourceKind, Set<ResourceKind>> BEFORE =
            Map.of(
                    HOST, Set.of(),
                    NETWORK, Set.of(),
                    SERVER, Set.of(HOST, NETWORK),
                    STACK, Set.of(SERVER));

    @Override
    public Optional<ResourcePlugin> find(ResourceKind kind) {
        return Optional.ofNullable(BEFORE.get(kind)).map(before -> new Layer(kind, before));
    }

    @Override
    public SortedSet<String> kinds() {
        SortedSet<String> kinds = new TreeSet<>();
        BEFORE.keySet().forEach(kind -> kinds.add(kind.value()));
        return kinds;
    }

    private record Layer(ResourceKind kind, Set<ResourceKind> startsAfter)
            implements ResourcePlugin, Planning {

        private static final Planning HOSTS = new HostPlanning();

        @Override
        public Planning planning() {
            return this;
        }

        @Override
        public Acting acting() {
            throw new AssertionError("deciding touches no cloud");
        }

        @Override
        public Plan plan(Map<String, @Nullable Object> parameters) {
            return HOSTS.plan(parameters);
        }

        @Override
        public Plan change(
                Map<String, @Nullable Object> current,
                Map<String, @Nullable Object> changes,
                boolean running) {
            return HOSTS.change(current, changes, running);
        }

        @Override
        public Map<String, @Nullable Object> render(ReservationWish wish) {
            return HOSTS.render(wish);
        }

        @Override
        public String plural() {
            return HOSTS.plural();
        }
    }
}
