package org.leasehold.resource.openstack.host;

import org.leasehold.resource.Survey.Squatter;
import org.leasehold.resource.openstack.ParallelCalls;
import org.leasehold.resource.openstack.compute.Guest;
import org.leasehold.resource.openstack.compute.Hypervisor;
import org.leasehold.resource.openstack.compute.Nova;
import org.leasehold.resource.openstack.compute.NovaAggregate;
import org.leasehold.resource.openstack.compute.NovaServer;
import org.leasehold.vocabulary.ProjectId;

import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Servers on hosts without a lease: they outlived a lease, or an administrator forced a host. They
 * include servers of a reservation's flavor. The caller knows whether that reservation still has
 * slots there.
 */
record StrayServers(Nova nova, HostIsolation isolation, ParallelCalls sideBySide) {

    /**
     * Returns servers on hosts that are free before and after the query: a host that is leased
     * meanwhile has its holder's servers.
     */
    List<Squatter> findOn(NovaAggregate.Listing before) {
        List<Hypervisor> free =
                nova.hypervisors().stream()
                        .filter(hypervisor -> before.isFree(hypervisor.host()))
                        .toList();
        List<List<Squatter>> found = sideBySide.map(free, this::findOn);
        if (found.stream().allMatch(List::isEmpty)) {
            return List.of();
        }
        NovaAggregate.Listing after = nova.aggregates();
        return IntStream.range(0, free.size())
                .filter(index -> after.isFree(free.get(index).host()))
                .mapToObj(found::get)
                .flatMap(List::stream)
                .sorted(Comparator.comparing(Squatter::resource).thenComparing(Squatter::id))
                .toList();
    }

    private List<Squatter> findOn(Hypervisor hypervisor) {
        return nova.guestsOn(hypervisor.host()).stream()
                .filter(guest -> !isolation.admits(guest))
                .map(guest -> strayServer(guest, hypervisor))
                .toList();
    }

    private static Squatter strayServer(Guest guest, Hypervisor hypervisor) {
        NovaServer server = guest.server();
        return new Squatter(
                server.id(),
                server.name(),
                hypervisor.name(),
                new ProjectId(server.project()),
                guest.reservation().orElse(null));
    }
}
