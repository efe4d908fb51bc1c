package org.leasehold.resource.openstack.host;

import org.leasehold.lease.Allocation;
import org.leasehold.resource.Acting.Assignment;
import org.leasehold.resource.openstack.SideBySide;
import org.leasehold.resource.openstack.compute.Aggregate;
import org.leasehold.resource.openstack.compute.Eviction;
import org.leasehold.resource.openstack.compute.Guest;
import org.leasehold.resource.openstack.compute.Hypervisor;
import org.leasehold.resource.openstack.compute.Nova;
import org.leasehold.resource.openstack.compute.NovaChanges;
import org.leasehold.resource.openstack.compute.Server;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * One call that moves hosts between the freepool and the aggregate of a reservation.
 *
 * <p>A host joins its new aggregate before it leaves the old one. So the reservation's own
 * aggregate shows what an interrupted move has left, and the call never changes what another
 * reservation has.
 */
final class ReservedHosts {

    private final Nova nova;
    private final NovaChanges changes;
    private final Isolation isolation;
    private final Eviction eviction;
    private final SideBySide sideBySide;
    private final Assignment assignment;

    /** The state at the beginning of the call: nothing else changes what the reservation has. */
    private final Aggregate.Listing before;

    private final LostHosts lost;

    ReservedHosts(
            Nova nova,
            Isolation isolation,
            Eviction eviction,
            SideBySide sideBySide,
            Assignment assignment) {
        this.nova = nova;
        this.changes = nova.fencedBy(assignment.fence());
        this.isolation = isolation;
        this.eviction = eviction;
        this.sideBySide = sideBySide;
        this.assignment = assignment;
        this.before = nova.aggregates();
        this.lost =
                new LostHosts(nova, changes, isolation, eviction, sideBySide, before, assignment);
    }

    /**
     * Gives a starting reservation exactly the hosts of the assignment.
     *
     * @return the ids that clients see
     */
    Map<String, Object> giveExactly() {
        return give(_ -> false, _ -> false);
    }

    /**
     * Changes a running reservation's hosts to those of the assignment. A host that was removed
     * from its aggregate by hand joins it again, and the holder's servers on it stay.
     *
     * @return the ids that clients see
     */
    Map<String, Object> adjust(List<Allocation> leaving) {
        Map<String, Object> ids = give(before::isNowhere, lost::cameByTheLease);
        lost.giveBack(
                sideBySide.map(leaving, this::find).stream()
                        .flatMap(Optional::stream)
                        .map(Hypervisor::host)
                        .filter(before::isNowhere)
                        .toList());
        return ids;
    }

    private Map<String, Object> give(Predicate<String> isLost, Predicate<Guest> isKept) {
        List<Hypervisor> wanted = sideBySide.map(assignment.resources(), this::hypervisor);
        Set<String> names = wanted.stream().map(Hypervisor::host).collect(Collectors.toSet());
        Aggregate own = own().orElseGet(this::create);
        // Blazar opens an aggregate that it creates in advance from the beginning.
        boolean open = own.says(isolation.ownedBy(assignment.project())) && !own.hosts().isEmpty();
        if (!open) {
            // No server may start on a host before all hosts are ready; it might be deleted.
            say(own, isolation.closed());
        }
        release(own, own.hosts().stream().filter(host -> !names.contains(host)).toList());
        Set<String> missing = names.stream().filter(isLost).collect(Collectors.toSet());
        // While they were open to all, servers of others may have come.
        sideBySide.each(
                missing,
                host ->
                        Guests.requireNoOthers(
                                nova, isolation, host, assignment.project().value()));
        sideBySide.each(wanted, hypervisor -> join(own, hypervisor, missing, isKept));
        if (!missing.isEmpty()) {
            changes.tell(own);
        }
        before.named(Aggregate.FREEPOOL).ifPresent(pool -> leave(pool, own, names));
        if (!open) {
            changes.setMetadata(own, isolation.ownedBy(assignment.project()));
        }
        return Map.of("aggregate_id", Integer.valueOf(own.id()));
    }

    /** Returns all of its hosts to the freepool, and deletes the aggregate. */
    void takeBack() {
        lost.giveBack(lostHosts(_ -> true));
        own().ifPresent(
                        own -> {
                            // Otherwise new servers could start all the time.
                            say(own, isolation.closed());
                            release(own, own.hosts());
                            changes.delete(own);
                        });
    }

    /** Returns the servers that an end deletes, except those on lost hosts that are down. */
    List<Server> servers() {
        List<Server> servers = new ArrayList<>(lost.serversOn(lostHosts(Hypervisor::up)));
        own().map(Aggregate::hosts)
                .map(hosts -> sideBySide.map(hosts, nova::serversOn))
                .ifPresent(each -> each.forEach(servers::addAll));
        return servers;
    }

    /** Returns hosts that it holds, but that are neither in its aggregate nor in another zone. */
    private List<String> lostHosts(Predicate<Hypervisor> which) {
        Set<String> had = own().map(Aggregate::hosts).orElseGet(Collections::emptySortedSet);
        List<Allocation> doubtful =
                assignment.resources().stream().filter(each -> !had.contains(each.name())).toList();
        return sideBySide.map(doubtful, this::find).stream()
                .flatMap(Optional::stream)
                .filter(which)
                .map(Hypervisor::host)
                .filter(host -> before.zoneOf(host).isEmpty())
                .toList();
    }

    private Optional<Hypervisor> find(Allocation allocation) {
        return nova.hypervisor(allocation.name());
    }

    private Optional<Aggregate> own() {
        return before.named(assignment.reservation().toString());
    }

    private Aggregate create() {
        return changes.createAggregate(
                assignment.reservation().toString(), Aggregate.zoneOf(assignment.reservation()));
    }

    private void say(Aggregate aggregate, Map<String, String> metadata) {
        if (!aggregate.says(metadata)) {
            changes.setMetadata(aggregate, metadata);
        }
    }

    private Hypervisor hypervisor(Allocation allocation) {
        return find(allocation)
                .orElseThrow(() -> Hypervisor.lacks(allocation.name(), "does not exist"));
    }

    private void join(
            Aggregate own, Hypervisor hypervisor, Set<String> lost, Predicate<Guest> isKept) {
        String host = hypervisor.host();
        if (own.hosts().contains(host)) {
            return;
        }
        if (!lost.contains(host)) {
            before.requireLeasable(hypervisor);
            if (!hypervisor.servers().isEmpty()) {
                // Later releases of Nova refuse to change the zone of a host with servers.
                eviction.evict(
                        changes,
                        () ->
                                nova.guestsOn(host).stream()
                                        .filter(guest -> !isKept.test(guest))
                                        .map(Guest::server)
                                        .toList(),
                        "On the host " + host);
            }
        }
        if (!changes.add(own, host)) {
            throw hypervisor.lacks("is gone");
        }
    }

    private void leave(Aggregate pool, Aggregate own, Set<String> wanted) {
        List<String> hosts = wanted.stream().filter(host -> pool.hosts().contains(host)).toList();
        if (!hosts.isEmpty()) {
            // Before they leave: schedulers must not take a host for one without an owner.
            changes.tell(own);
        }
        sideBySide.each(
                hosts,
                host -> {
                    // The pool sends no more servers; the holder may have started some already.
                    evictOthers(host);
                    changes.remove(pool, host);
                });
        // Also if they have left already: an interrupted call may not have announced it.
        changes.tell(pool);
    }

    private void evictOthers(String host) {
        eviction.evict(
                changes, host, server -> !server.project().equals(assignment.project().value()));
    }

    private void release(Aggregate own, Collection<String> hosts) {
        if (hosts.isEmpty()) {
            return;
        }
        Aggregate pool = new Freepool(isolation).ready(before, changes);
        // A host that Nova does not know any more cannot return, and need not.
        sideBySide.each(
                hosts.stream().filter(host -> !pool.hosts().contains(host)).toList(),
                host -> changes.add(pool, host));
        changes.tell(pool);
        sideBySide.each(hosts, host -> giveUp(own, host));
    }

    private void giveUp(Aggregate own, String host) {
        eviction.evict(changes, host, server -> true);
        changes.remove(own, host);
        // Until the removal, the holder of a running reservation could start servers.
        eviction.evict(changes, host, server -> true);
    }
}
