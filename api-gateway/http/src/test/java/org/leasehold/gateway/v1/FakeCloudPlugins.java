package org.leasehold.gateway.v1;

import org.leasehold.inventory.ResourceKind;
import org.leasehold.resource.Acting;
import org.leasehold.resource.Planning;
import org.leasehold.resource.Plugins;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.instance.InstancePlanning;
import org.leasehold.resource.network.NetworkPlanning;
import org.leasehold.resource.server.ServerPlanning;
import org.leasehold.resource.stack.StackPlanning;
import org.leasehold.resource.volume.VolumePlanning;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/** The plug-ins of a cloud that is a few names. */
public final class FakeCloudPlugins implements Plugins {

    private static final List<ResourcePlugin> ACTING =
            List.of(new FakeHostPlugin(), new FakeFloatingIpPlugin(), new FakeFlavorPlugin());

    private final List<ResourcePlugin> all;

    /** Creates the plug-ins that act. */
    public FakeCloudPlugins() {
        this(ACTING);
    }

    private FakeCloudPlugins(List<ResourcePlugin> all) {
        this.all = List.copyOf(all);
    }

    /** Returns plug-ins for all of Leasehold's kinds; the further ones only plan. */
    public static FakeCloudPlugins ofAllKinds() {
        List<ResourcePlugin> all = new ArrayList<>(ACTING);
        all.add(new PlanningOnly(ResourceKind.VIRTUAL_INSTANCE, new InstancePlanning()));
        all.add(new PlanningOnly(ResourceKind.NETWORK, new NetworkPlanning()));
        all.add(new PlanningOnly(ResourceKind.VOLUME, new VolumePlanning()));
        all.add(new PlanningOnly(ResourceKind.SERVER, new ServerPlanning()));
        all.add(new PlanningOnly(ResourceKind.STACK, new StackPlanning()));
        return new FakeCloudPlugins(all);
    }

    @Override
    public Optional<ResourcePlugin> find(ResourceKind kind) {
        return all.stream().filter(plugin -> plugin.kind().equals(kind)).findFirst();
    }

    @Override
    public SortedSet<String> kinds() {
        SortedSet<String> kinds = new TreeSet<>();
        all.forEach(plugin -> kinds.add(plugin.kind().value()));
        return kinds;
    }

    private record PlanningOnly(ResourceKind kind, Planning planning) implements ResourcePlugin {

        @Override
        public Acting acting() {
            throw new UnsupportedOperationException();
        }
    }
}
