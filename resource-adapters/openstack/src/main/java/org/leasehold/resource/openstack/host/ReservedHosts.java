package org.leasehold.resource.openstack.host;

import org.leasehold.lease.Allocation;
import org.leasehold.resource.Acting.Assignment;
import org.leasehold.resource.Replacement;
import org.leasehold.resource.openstack.ParallelCalls;
import org.leasehold.resource.openstack.PollingWait;
import org.leasehold.resource.openstack.compute.Guest;
import org.leasehold.resource.openstack.compute.Hypervisor;
import org.leasehold.resource.openstack.compute.Nova;
import org.leasehold.resource.openstack.compute.NovaAggregate;
import org.leasehold.resource.openstack.compute.NovaChanges;
import org.leasehold.resource.openstack.compute.NovaServer;
import org.leasehold.resource.openstack.compute.ServerEviction;
import org.leasehold.resource.openstack.compute.ServerMove;
import org.leasehold.resource.openstack.compute.ServerMove.NovaAccess;

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
    private final HostIsolation isolation;
    private final ServerEviction eviction;
    private final PollingWait pollingWait;
    private final ParallelCalls parallelCalls;
    private final Assignment assignment;

    /** The state at the beginning of the call: nothing else changes what the reservation has. */
    private final NovaAggregate.Listing initialAggregates;

    private final LostHosts lost;

    ReservedHosts(
            Nova nova,
            HostIsolation isolation,
            ServerEviction eviction,
            PollingWait pollingWait,
            ParallelCalls sideBySide,
            Assignment assignment) {
        this.nova = nova;
        this.changes = nova.fencedBy(assignment.fence());
        this.isolation = isolation;
        this.eviction = eviction;
        this.pollingWait = pollingWait;
        this.parallelCalls = sideBySide;
        this.assignment = assignment;
        this.initialAggregates = nova.aggregates();
        this.lost =
                new LostHosts(
                        nova,
                        changes,
                        isolation,
                        eviction,
                        sideBySide,
                        initialAggregates,
                        assignment);
    }

    /**
     * Gives a starting reservation exactly the hosts of the assignment.
     *
     * @return the ids that clients see
     */
    Map<String, Object> applyAssignment() {
        return moveHosts(_ -> false, _ -> false, List.of());
    }

    /**
     * Changes a running reservation's hosts to those of the assignment. A host that was removed
     * from its aggregate by hand joins it again, and the holder's servers on it stay.
     *
     * @param replacements of leaving hosts, whose servers move
     * @return the ids that clients see
     */
    Map<String, Object> adjust(List<Allocation> leaving, List<Replacement> replacements) {
        Map<String, Object> ids =
                moveHosts(initialAggregates::isUnassigned, lost::isBroughtByLease, replacements);
        lost.returnToFreepool(
                parallelCalls.map(leaving, this::find).stream()
                        .flatMap(Optional::stream)
                        .map(Hypervisor::host)
                        .filter(initialAggregates::isUnassigned)
                        .toList());
        return ids;
    }

    private Map<String, Object> moveHosts(
            Predicate<String> isLost, Predicate<Guest> isKept, List<Replacement> replacements) {
        List<Hypervisor> wanted = parallelCalls.map(assignment.resources(), this::hypervisor);
        Set<String> names = wanted.stream().map(Hypervisor::host).collect(Collectors.toSet());
        NovaAggregate own = findAggregate().orElseGet(this::create);
        // Blazar opens an aggregate that it creates in advance from the beginning.
        boolean open =
                own.hasMetadata(isolation.projectMetadata(assignment.project()))
                        && !own.hosts().isEmpty();
        if (!open) {
            // No server may start on a host before all hosts are ready; it might be deleted.
            setMetadataIfChanged(own, isolation.closedMetadata());
        }
        List<String> left = own.hosts().stream().filter(host -> !names.contains(host)).toList();
        if (replacements.isEmpty()) {
            release(own, left);
        }
        Set<String> missing = names.stream().filter(isLost).collect(Collectors.toSet());
        // While they were open to all, servers of others may have come.
        parallelCalls.forEach(
                missing,
                host ->
                        ForeignServers.requireNoForeignServers(
                                nova, isolation, host, assignment.project().value()));
        parallelCalls.forEach(wanted, hypervisor -> addHost(own, hypervisor, missing, isKept));
        if (!missing.isEmpty()) {
            changes.announce(own);
        }
        initialAggregates
                .findByName(NovaAggregate.FREEPOOL)
                .ifPresent(pool -> removeFromFreepool(pool, own, names));
        if (!open) {
            changes.setMetadata(own, isolation.projectMetadata(assignment.project()));
        }
        if (!replacements.isEmpty()) {
            // The hosts that replace others are ready, and stay if a server does not move.
            parallelCalls.forEach(replacements, each -> moveServers(own, each));
            release(own, left);
        }
        return Map.of("aggregate_id", Integer.valueOf(own.id()));
    }

    private void moveServers(NovaAggregate own, Replacement replacement) {
        find(replacement.from())
                // Another lease may have a host that left this one in an earlier call.
                .filter(
                        from ->
                                own.hosts().contains(from.host())
                                        || initialAggregates.isUnassigned(from.host()))
                .ifPresent(
                        from ->
                                ServerMove.run(
                                        new NovaAccess(nova, changes, parallelCalls),
                                        from,
                                        hypervisor(replacement.to()),
                                        lost::isOfHolder,
                                        pollingWait));
    }

    /** Returns all of its hosts to the freepool, and deletes the aggregate. */
    void releaseAll() {
        lost.returnToFreepool(lostHosts(_ -> true));
        findAggregate()
                .ifPresent(
                        own -> {
                            // Otherwise new servers could start all the time.
                            setMetadataIfChanged(own, isolation.closedMetadata());
                            release(own, own.hosts());
                            changes.delete(own);
                        });
    }

    /** Returns the servers that an end deletes, except those on lost hosts that are down. */
    List<NovaServer> servers() {
        List<NovaServer> servers = new ArrayList<>(lost.serversOn(lostHosts(Hypervisor::up)));
        findAggregate()
                .map(NovaAggregate::hosts)
                .map(hosts -> parallelCalls.map(hosts, nova::serversOn))
                .ifPresent(each -> each.forEach(servers::addAll));
        return servers;
    }

    /** Returns hosts that it holds, but that are neither in its aggregate nor in another zone. */
    private List<String> lostHosts(Predicate<Hypervisor> which) {
        Set<String> had =
                findAggregate().map(NovaAggregate::hosts).orElseGet(Collections::emptySortedSet);
        List<Allocation> doubtful =
                assignment.resources().stream().filter(each -> !had.contains(each.name())).toList();
        return parallelCalls.map(doubtful, this::find).stream()
                .flatMap(Optional::stream)
                .filter(which)
                .map(Hypervisor::host)
                .filter(host -> initialAggregates.zoneOf(host).isEmpty())
                .toList();
    }

    private Optional<Hypervisor> find(Allocation allocation) {
        return nova.hypervisor(allocation.name());
    }

    private Optional<NovaAggregate> findAggregate() {
        return initialAggregates.findByName(assignment.reservation().toString());
    }

    private NovaAggregate create() {
        return changes.createAggregate(
                assignment.reservation().toString(),
                NovaAggregate.zoneOf(assignment.reservation()));
    }

    private void setMetadataIfChanged(NovaAggregate aggregate, Map<String, String> metadata) {
        if (!aggregate.hasMetadata(metadata)) {
            changes.setMetadata(aggregate, metadata);
        }
    }

    private Hypervisor hypervisor(Allocation allocation) {
        return find(allocation)
                .orElseThrow(() -> Hypervisor.failure(allocation.name(), "does not exist"));
    }

    private void addHost(
            NovaAggregate own, Hypervisor hypervisor, Set<String> lost, Predicate<Guest> isKept) {
        String host = hypervisor.host();
        if (own.hosts().contains(host)) {
            return;
        }
        if (!lost.contains(host)) {
            initialAggregates.requireLeasable(hypervisor);
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
            throw hypervisor.failure("is gone");
        }
    }

    private void removeFromFreepool(NovaAggregate pool, NovaAggregate own, Set<String> wanted) {
        List<String> hosts = wanted.stream().filter(host -> pool.hosts().contains(host)).toList();
        if (!hosts.isEmpty()) {
            // Before they leave: schedulers must not take a host for one without an owner.
            changes.announce(own);
        }
        parallelCalls.forEach(
                hosts,
                host -> {
                    // The pool sends no more servers; the holder may have started some already.
                    evictOthers(host);
                    changes.remove(pool, host);
                });
        // Also if they have left already: an interrupted call may not have announced it.
        changes.announce(pool);
    }

    private void evictOthers(String host) {
        eviction.evict(
                changes, host, server -> !server.project().equals(assignment.project().value()));
    }

    private void release(NovaAggregate own, Collection<String> hosts) {
        if (hosts.isEmpty()) {
            return;
        }
        NovaAggregate pool = new Freepool(isolation).findOrCreate(initialAggregates, changes);
        // A host that Nova does not know any more cannot return, and need not.
        parallelCalls.forEach(
                hosts.stream().filter(host -> !pool.hosts().contains(host)).toList(),
                host -> changes.add(pool, host));
        changes.announce(pool);
        parallelCalls.forEach(hosts, host -> evictAndRemove(own, host));
    }

    private void evictAndRemove(NovaAggregate own, String host) {
        eviction.evict(changes, host, server -> true);
        changes.remove(own, host);
        // Until the removal, the holder of a running reservation could start servers.
        eviction.evict(changes, host, server -> true);
    }
}
