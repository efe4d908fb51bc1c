package org.leasehold.resource.openstack.host;

import org.leasehold.resource.Acting.Assignment;
import org.leasehold.resource.openstack.SideBySide;
import org.leasehold.resource.openstack.compute.Aggregate;
import org.leasehold.resource.openstack.compute.Eviction;
import org.leasehold.resource.openstack.compute.Guest;
import org.leasehold.resource.openstack.compute.Nova;
import org.leasehold.resource.openstack.compute.NovaChanges;

import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;

/**
 * Hosts that a reservation holds, but that somebody removed from its aggregate, or whose aggregate
 * somebody deleted. Ordinary servers of other projects may have come since: they stay, and the host
 * stays outside the freepool with them. The drift report names it.
 */
record LostHosts(
        Nova nova,
        NovaChanges changes,
        Isolation isolation,
        Eviction eviction,
        SideBySide sideBySide,
        Aggregate.Listing before,
        Assignment assignment) {

    /** Puts them into the freepool, without the holder's servers. */
    void giveBack(Collection<String> hosts) {
        if (hosts.isEmpty()) {
            return;
        }
        // Outside the freepool no server of the holder's is a guest: all of them came by the lease.
        sideBySide.each(
                hosts.stream().filter(before::isNowhere).toList(), host -> evict(host, _ -> true));
        // The next lease of a host in the freepool deletes what runs on it. A host that stays
        // outside
        // is enrolled again once it is empty.
        List<String> free =
                sideBySide
                        .map(
                                hosts,
                                host ->
                                        Guests.others(nova, isolation, host).isEmpty()
                                                ? List.of(host)
                                                : List.<String>of())
                        .stream()
                        .flatMap(List::stream)
                        .toList();
        enterFreepool(free);
        // Until then the holder could start more.
        sideBySide.each(hosts, host -> evict(host, guest -> !isolation.admits(guest)));
    }

    private void enterFreepool(Collection<String> hosts) {
        Aggregate pool = new Freepool(isolation).ready(before, changes);
        List<String> outside = hosts.stream().filter(host -> !pool.hosts().contains(host)).toList();
        if (!outside.isEmpty()) {
            sideBySide.each(outside, host -> changes.add(pool, host));
            changes.tell(pool);
        }
    }

    /** Servers in slots of other reservations are not this one's. */
    private void evict(String host, Predicate<Guest> which) {
        eviction.evict(
                changes,
                () ->
                        nova.guestsOn(host).stream()
                                .filter(which)
                                .filter(guest -> guest.reservation().isEmpty())
                                .map(Guest::server)
                                .filter(
                                        server ->
                                                server.project()
                                                        .equals(assignment.project().value()))
                                .toList(),
                "On the host " + host);
    }
}
