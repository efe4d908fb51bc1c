package org.leasehold.resource.openstack.instance;

import org.leasehold.lease.Allocation;
import org.leasehold.resource.Acting.Assignment;
import org.leasehold.resource.Replacement;
import org.leasehold.resource.instance.Flavor;
import org.leasehold.resource.openstack.Cloud;
import org.leasehold.resource.openstack.ParallelCalls;
import org.leasehold.resource.openstack.PollingWait;
import org.leasehold.resource.openstack.compute.Guest;
import org.leasehold.resource.openstack.compute.Hypervisor;
import org.leasehold.resource.openstack.compute.Nova;
import org.leasehold.resource.openstack.compute.NovaAggregate;
import org.leasehold.resource.openstack.compute.NovaChanges;
import org.leasehold.resource.openstack.compute.NovaServer;
import org.leasehold.resource.openstack.compute.ServerEviction;
import org.leasehold.resource.openstack.compute.ServerMove.NovaAccess;
import org.leasehold.resource.openstack.placement.Placement;
import org.leasehold.resource.openstack.placement.ResourceProvider;
import org.leasehold.vocabulary.TrustId;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * One call that gives a reservation slots on hosts, or removes them.
 *
 * <p>A host joins the reservation's aggregate before it has slots, and leaves after its last one.
 * So the reservation's own aggregate shows what an interrupted call has left, and the call never
 * changes what another reservation has.
 */
final class ReservedInstances {

    private static final String RESERVATION = "reservation";
    private static final String AFFINITY = "affinity";
    private static final String AGGREGATE_ID = "aggregate_id";
    private static final String GROUP_ID = "server_group_id";

    /** The name of the group's id in the aggregate and the flavor. */
    private static final String GROUP_METADATA_KEY = "affinity_id";

    private final Nova nova;
    private final NovaChanges changes;
    private final ReservedFlavor flavor;
    private final ReservedSlots slots;
    private final ReservedServerGroup group;
    private final PollingWait pollingWait;
    private final ParallelCalls parallelCalls;
    private final Assignment assignment;

    /** The state at the beginning of the call: nothing else changes what the reservation has. */
    private final NovaAggregate.Listing initialAggregates;

    ReservedInstances(
            Cloud cloud, PollingWait patience, ParallelCalls sideBySide, Assignment assignment) {
        this.nova = new Nova(cloud);
        this.changes = nova.fencedBy(assignment.fence());
        this.flavor = new ReservedFlavor(cloud, assignment.fence(), assignment.reservation());
        this.slots =
                new ReservedSlots(
                        new Placement(cloud), assignment.fence(), assignment.reservation());
        this.group = new ReservedServerGroup(cloud, assignment.fence(), assignment.reservation());
        this.pollingWait = patience;
        this.parallelCalls = sideBySide;
        this.assignment = assignment;
        this.initialAggregates = nova.aggregates();
    }

    /** A number of slots on a host. */
    private record HostSlots(Hypervisor host, int slots) {

        boolean isTargetOf(List<Replacement> replacements) {
            return replacements.stream().anyMatch(each -> each.to().name().equals(host.name()));
        }
    }

    /**
     * Changes the reservation's slots to those of the assignment.
     *
     * @return the ids that clients see
     */
    Map<String, Object> applyAssignment() {
        return applyAssignment(List.of(), List.of());
    }

    /**
     * Changes a running reservation's slots to those of the assignment.
     *
     * @param leaving hosts that it releases, also if its aggregate has lost them
     * @param replacements of leaving hosts, whose servers move
     * @return the ids that clients see, if they are new; otherwise nothing
     */
    Map<String, Object> adjust(List<Allocation> leaving, List<Replacement> replacements) {
        Map<String, Object> ids = applyAssignment(leaving, replacements);
        boolean same =
                findAggregate()
                        .filter(own -> own.id().equals(String.valueOf(ids.get(AGGREGATE_ID))))
                        .filter(
                                own ->
                                        Objects.equals(
                                                own.metadata().get(GROUP_METADATA_KEY),
                                                ids.get(GROUP_ID)))
                        .isPresent();
        return same ? Map.of() : ids;
    }

    private Map<String, Object> applyAssignment(
            List<Allocation> leaving, List<Replacement> replacements) {
        List<HostSlots> wanted = parallelCalls.map(assignment.resources(), this::hostSlots);
        Set<String> hosts =
                wanted.stream()
                        .map(hostSlots -> hostSlots.host().host())
                        .collect(Collectors.toSet());
        NovaAggregate own = findAggregate().orElseGet(this::createAggregate);
        Map<String, String> affinity = affinityMetadata();
        Map<String, String> ownership = ownershipMetadata(affinity);
        if (!own.hasMetadata(ownership)) {
            changes.setMetadata(own, ownership);
        }
        flavor.create(Flavor.ofSlots(assignment.parameters()), affinity);
        slots.createClass();
        if (!replacements.isEmpty()) {
            moveServers(own, wanted, replacements);
        }
        Set<String> left = new TreeSet<>(own.hosts());
        left.addAll(computeServicesOf(leaving));
        left.removeAll(hosts);
        removeHosts(own, List.copyOf(left));
        parallelCalls.forEach(wanted, hostSlots -> addSlots(own, hostSlots));
        changes.announce(own);
        // No server may take a slot before all of them exist.
        flavor.grantAccess(assignment.project());
        Map<String, Object> ids = new TreeMap<>();
        ids.put(AGGREGATE_ID, Integer.valueOf(own.id()));
        affinity.values().forEach(id -> ids.put(GROUP_ID, id));
        return ids;
    }

    /** Moves servers to hosts that replace theirs. The targets join first, the others later. */
    private void moveServers(
            NovaAggregate own, List<HostSlots> wanted, List<Replacement> replacements) {
        NovaAccess access = new NovaAccess(nova, changes, parallelCalls);
        parallelCalls.forEach(
                wanted.stream().filter(each -> each.isTargetOf(replacements)).toList(),
                hostSlots -> addSlots(own, hostSlots));
        changes.announce(own);
        new InstanceMoves(access, slots, pollingWait, assignment.reservation())
                .moveAll(replacements);
    }

    /** Removes all slots, and leaves nothing. */
    void releaseAll() {
        // Its project then gets the error that the flavor is missing, not that no host fits.
        flavor.revokeAccess();
        Set<String> names =
                assignment.resources().stream()
                        .map(Allocation::name)
                        .collect(Collectors.toCollection(TreeSet::new));
        findAggregate()
                .ifPresentOrElse(
                        own -> names.addAll(hypervisorsOf(own.hosts())),
                        () -> names.addAll(slots.hypervisors(parallelCalls)));
        removeSlots(
                names,
                flavor.exists()
                        ? () -> nova.serversOfFlavor(flavorId())
                        : () -> serversInSlotsOf(names));
        slots.deleteClass();
        flavor.delete();
        if (assignment.parameters().get(AFFINITY) != null) {
            group.delete(assignment.project());
        }
        findAggregate()
                .ifPresent(
                        own -> {
                            parallelCalls.forEach(own.hosts(), host -> changes.remove(own, host));
                            changes.delete(own);
                        });
    }

    private Optional<NovaAggregate> findAggregate() {
        return initialAggregates.findByName(assignment.reservation().toString());
    }

    private NovaAggregate createAggregate() {
        // Not a zone: a host has only one, and may have slots of many reservations.
        return changes.createAggregate(assignment.reservation().toString(), null);
    }

    /** Returns whether it belongs to a reservation of instances; those of hosts are zones. */
    static boolean isOfInstances(NovaAggregate aggregate) {
        return aggregate.zone() == null
                && aggregate.name().equals(aggregate.metadata().get(RESERVATION));
    }

    /** Returns the metadata for the server group; empty if there is none. */
    private Map<String, String> affinityMetadata() {
        if (!(assignment.parameters().get(AFFINITY) instanceof Boolean together)) {
            return Map.of();
        }
        TrustId trust = assignment.trust();
        // A lease from another reservation service has no trust, but that service made a group.
        return (trust == null
                        ? group.find(assignment.project())
                        : Optional.of(group.findOrCreate(trust, assignment.project(), together)))
                .map(id -> Map.of(GROUP_METADATA_KEY, id))
                .orElse(Map.of());
    }

    /** Returns the reservation service's metadata, which Nova's filters compare. */
    private Map<String, String> ownershipMetadata(Map<String, String> affinity) {
        String project = assignment.project().value();
        Map<String, String> ownership = new TreeMap<>(affinity);
        ownership.put(RESERVATION, assignment.reservation().toString());
        ownership.put("blazar:owner", project);
        ownership.put("filter_tenant_id", project);
        return ownership;
    }

    private String flavorId() {
        return assignment.reservation().toString();
    }

    private HostSlots hostSlots(Allocation allocation) {
        return nova.hypervisor(allocation.name())
                .map(hypervisor -> new HostSlots(hypervisor, allocation.slots()))
                .orElseThrow(() -> Hypervisor.failure(allocation.name(), "does not exist"));
    }

    private void addSlots(NovaAggregate own, HostSlots hostSlots) {
        String host = hostSlots.host().host();
        if (!own.hosts().contains(host)) {
            initialAggregates.requireLeasable(hostSlots.host());
            if (!changes.add(own, host)) {
                throw hostSlots.host().failure("is gone");
            }
        }
        slots.setSlots(hostSlots.host(), hostSlots.slots());
    }

    /** Finds servers by their slots: Nova finds none by a deleted flavor. */
    private List<NovaServer> serversInSlotsOf(Collection<String> hypervisors) {
        return parallelCalls.map(hypervisors, nova::hypervisor).stream()
                .flatMap(Optional::stream)
                .flatMap(hypervisor -> nova.guestsOn(hypervisor.host()).stream())
                .filter(
                        guest ->
                                guest.reservation()
                                        .filter(assignment.reservation()::equals)
                                        .isPresent())
                .map(Guest::server)
                .toList();
    }

    private List<String> computeServicesOf(List<Allocation> allocations) {
        return parallelCalls.map(allocations, each -> nova.hypervisor(each.name())).stream()
                .flatMap(Optional::stream)
                .map(Hypervisor::host)
                .toList();
    }

    private void removeHosts(NovaAggregate own, List<String> hosts) {
        removeSlots(
                hypervisorsOf(hosts),
                () ->
                        parallelCalls
                                .map(hosts, host -> nova.serversOfFlavor(flavorId(), host))
                                .stream()
                                .flatMap(List::stream)
                                .toList());
        parallelCalls.forEach(hosts, host -> changes.remove(own, host));
    }

    /** Maps compute services, which aggregates hold, to hypervisors, which Placement knows. */
    private Collection<String> hypervisorsOf(Collection<String> hosts) {
        return parallelCalls.map(hosts, nova::hypervisorOf).stream()
                .flatMap(Optional::stream)
                .map(Hypervisor::name)
                .toList();
    }

    private void removeSlots(Collection<String> hypervisors, Supplier<List<NovaServer>> servers) {
        List<ResourceProvider> providers =
                parallelCalls.map(hypervisors, slots::findProvider).stream()
                        .flatMap(Optional::stream)
                        .toList();
        // Otherwise new servers could start all the time.
        parallelCalls.forEach(providers, slots::reserveAll);
        new ServerEviction(nova, pollingWait)
                .evict(changes, servers, "In slots of the reservation " + flavorId());
        parallelCalls.forEach(
                providers, provider -> slots.removeFromProvider(provider, pollingWait));
    }
}
