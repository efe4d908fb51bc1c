package org.leasehold.resource.openstack.host;

import org.leasehold.lease.ProjectId;
import org.leasehold.resource.Acting.Squatter;
import org.leasehold.resource.openstack.SideBySide;
import org.leasehold.resource.openstack.compute.Aggregate;
import org.leasehold.resource.openstack.compute.Guest;
import org.leasehold.resource.openstack.compute.Hypervisor;
import org.leasehold.resource.openstack.compute.Nova;
import org.leasehold.resource.openstack.compute.Server;

import java.util.Comparator;
import java.util.List;

/**
 * Servers on hosts that nobody leases: something outlived a lease, or an administrator forced a
 * host. One by a reservation's flavor is among them: whether that reservation still has slots there
 * others know.
 */
record Squatters(Nova nova, Isolation isolation, SideBySide sideBySide) {

    List<Squatter> on(Aggregate.Listing aggregates) {
        List<Hypervisor> used =
                nova.hypervisorsWithServers().stream()
                        .filter(hypervisor -> !hypervisor.servers().isEmpty())
                        .filter(hypervisor -> aggregates.isFree(hypervisor.host()))
                        .toList();
        return sideBySide.map(used, this::on).stream()
                .flatMap(List::stream)
                .sorted(Comparator.comparing(Squatter::resource).thenComparing(Squatter::id))
                .toList();
    }

    private List<Squatter> on(Hypervisor hypervisor) {
        return nova.guestsOn(hypervisor.host()).stream()
                .filter(guest -> !isAllowed(guest))
                .map(guest -> squatter(guest, hypervisor))
                .toList();
    }

    /** The filter lets preemptible servers into the freepool where the operator says so. */
    private boolean isAllowed(Guest guest) {
        return switch (isolation) {
            case FILTER -> guest.isPreemptible();
            case TENANCY -> false;
        };
    }

    private static Squatter squatter(Guest guest, Hypervisor hypervisor) {
        Server server = guest.server();
        return new Squatter(
                server.id(),
                server.name(),
                hypervisor.name(),
                new ProjectId(server.project()),
                guest.reservation().orElse(null));
    }
}
