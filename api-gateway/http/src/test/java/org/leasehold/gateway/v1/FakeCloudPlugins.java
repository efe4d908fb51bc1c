package org.leasehold.gateway.v1;

import org.leasehold.inventory.ResourceKind;
import org.leasehold.resource.Plugins;
import org.leasehold.resource.ResourcePlugin;

import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/** The plug-ins of a cloud that is a few names. */
public final class FakeCloudPlugins implements Plugins {

    private final List<ResourcePlugin> all =
            List.of(new FakeHostPlugin(), new FakeFloatingIpPlugin(), new FakeFlavorPlugin());

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
}
