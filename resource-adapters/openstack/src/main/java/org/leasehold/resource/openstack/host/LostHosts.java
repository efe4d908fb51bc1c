package org.leasehold.resource.openstack.host;

import org.leasehold.resource.Acting.Assignment;
import org.leasehold.resource.openstack.ParallelCalls;
import org.leasehold.resource.openstack.compute.Guest;
import org.leasehold.resource.openstack.compute.Nova;
import org.leasehold.resource.openstack.compute.NovaAggregate;
import org.leasehold.resource.openstack.compute.NovaChanges;
import org.leasehold.resource.openstack.compute.NovaServer;
import org.leasehold.resource.openstack.compute.ServerEviction;

import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;

/**
 * Hosts of a reservation that were removed from its aggregate by hand, or whose aggregate was
 * deleted. Ordinary servers of other projects may have come since. They stay, and so does the host,
 * outside the freepool. The drift report names it.
 */
record LostHosts(
        Nova nova,
        NovaChanges changes,
        HostIsolation isolation,
        ServerEviction eviction,
        ParallelCalls sideBySide,
        NovaAggregate.Listing before,
        Assignment assignment) {

    /** Moves them to the freepool, without the holder's servers. */
    void returnToFreepool(Collection<String> hosts) {
        if (hosts.isEmpty()) {
            return;
        }
        sideBySide.forEach(
                hosts.stream().filter(before::isUnassigned).toList(),
                host -> evict(host, this::isOfHolder));
        // The next lease of a host in the freepool deletes its servers. A host that stays outside
        // is enrolled again once it is empty.
        List<String> free =
                sideBySide
                        .map(
                                hosts,
                                host ->
                                        ForeignServers.findOn(nova, isolation, host).isEmpty()
                                                ? List.of(host)
                                                : List.<String>of())
                        .stream()
                        .flatMap(List::stream)
                        .toList();
        enterFreepool(free);
        // Until then the holder could start more.
        sideBySide.forEach(hosts, host -> evict(host, this::isBroughtByLease));
    }

    /** Returns the servers that {@link #returnToFreepool} deletes. */
    List<NovaServer> serversOn(Collection<String> hosts) {
        return sideBySide
                .map(
                        hosts,
                        host ->
                                servers(
                                        host,
                                        before.isUnassigned(host)
                                                ? this::isOfHolder
                                                : this::isBroughtByLease))
                .stream()
                .flatMap(List::stream)
                .toList();
    }

    /** Returns whether only the lease can have brought the server to a host of the freepool. */
    boolean isBroughtByLease(Guest guest) {
        return isOfHolder(guest) && !isolation.admits(guest);
    }

    /**
     * Returns whether a server on a host outside the freepool is the holder's: all of those came
     * with the lease. Servers in slots of other reservations do not count.
     */
    boolean isOfHolder(Guest guest) {
        return guest.reservation().isEmpty()
                && guest.server().project().equals(assignment.project().value());
    }

    private void enterFreepool(Collection<String> hosts) {
        NovaAggregate pool = new Freepool(isolation).findOrCreate(before, changes);
        List<String> outside = hosts.stream().filter(host -> !pool.hosts().contains(host)).toList();
        if (!outside.isEmpty()) {
            sideBySide.forEach(outside, host -> changes.add(pool, host));
            changes.announce(pool);
        }
    }

    private void evict(String host, Predicate<Guest> which) {
        eviction.evict(changes, () -> servers(host, which), "On the host " + host);
    }

    private List<NovaServer> servers(String host, Predicate<Guest> which) {
        return nova.guestsOn(host).stream().filter(which).map(Guest::server).toList();
    }
}
