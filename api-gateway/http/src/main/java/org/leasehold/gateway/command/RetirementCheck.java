package org.leasehold.gateway.command;

import org.leasehold.inventory.ResourceKind;
import org.leasehold.readmodel.resource.ResourceView;
import org.leasehold.readmodel.resource.Resources;
import org.leasehold.resource.Acting.Discovery;
import org.leasehold.resource.Plugins;

import java.time.Clock;
import java.util.Optional;

/**
 * Finds the servers on a host that is to be retired. Outside of the freepool, the cloud would treat
 * them as ordinary servers.
 */
public final class RetirementCheck {

    private final Plugins plugins;
    private final Resources resources;
    private final Clock clock;

    public RetirementCheck(Plugins plugins, Resources resources, Clock clock) {
        this.plugins = plugins;
        this.resources = resources;
        this.clock = clock;
    }

    /**
     * Returns the servers on a host that no lease has, now or later. Returns nothing for a leased
     * host, whose retirement is rejected anyway, for other kinds, and for a host that the cloud
     * does not know or cannot describe: such a host can always be retired.
     */
    public Optional<Discovery.InUse> findServers(ResourceView resource) {
        return !resource.kind().equals(ResourceKind.PHYSICAL_HOST) || isLeased(resource)
                ? Optional.empty()
                : plugins.find(resource.kind())
                        .map(plugin -> plugin.acting().discover(resource.name()))
                        .filter(Discovery.InUse.class::isInstance)
                        .map(Discovery.InUse.class::cast)
                        // The cloud may know another host, whose name contains this one.
                        .filter(used -> used.name().equals(resource.name()));
    }

    private boolean isLeased(ResourceView host) {
        return resources.allocations(host.kind(), host.id(), null, null, clock.instant()).stream()
                .anyMatch(calendar -> !calendar.holdings().isEmpty());
    }
}
