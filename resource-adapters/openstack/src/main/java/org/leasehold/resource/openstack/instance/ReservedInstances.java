package org.leasehold.resource.openstack.instance;

import org.leasehold.lease.Allocation;
import org.leasehold.lease.TrustId;
import org.leasehold.resource.Acting.Assignment;
import org.leasehold.resource.instance.Flavor;
import org.leasehold.resource.openstack.Cloud;
import org.leasehold.resource.openstack.Patience;
import org.leasehold.resource.openstack.SideBySide;
import org.leasehold.resource.openstack.compute.Aggregate;
import org.leasehold.resource.openstack.compute.Eviction;
import org.leasehold.resource.openstack.compute.Guest;
import org.leasehold.resource.openstack.compute.Hypervisor;
import org.leasehold.resource.openstack.compute.Nova;
import org.leasehold.resource.openstack.compute.NovaChanges;
import org.leasehold.resource.openstack.compute.Server;
import org.leasehold.resource.openstack.placement.Placement;
import org.leasehold.resource.openstack.placement.Provider;

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
    private static final String AGGREGATE = "aggregate_id";
    private static final String GROUP = "server_group_id";

    /** The name of the group's id in the aggregate and the flavor. */
    private static final String GROUP_SAID = "affinity_id";

    private final Nova nova;
    private final NovaChanges changes;
    private final ReservedFlavor flavor;
    private final ReservedSlots slots;
    private final ReservedGroup group;
    private final Patience patience;
    private final SideBySide sideBySide;
    private final Assignment assignment;

    /** The state at the beginning of the call: nothing else changes what the reservation has. */
    private final Aggregate.Listing before;

    ReservedInstances(
            Cloud cloud, Patience patience, SideBySide sideBySide, Assignment assignment) {
        this.nova = new Nova(cloud);
        this.changes = nova.fencedBy(assignment.fence());
        this.flavor = new ReservedFlavor(cloud, assignment.fence(), assignment.reservation());
        this.slots =
                new ReservedSlots(
                        new Placement(cloud), assignment.fence(), assignment.reservation());
        this.group = new ReservedGroup(cloud, assignment.fence(), assignment.reservation());
        this.patience = patience;
        this.sideBySide = sideBySide;
        this.assignment = assignment;
        this.before = nova.aggregates();
    }

    /** A number of slots on a host. */
    private record Place(Hypervisor host, int slots) {}

    /**
     * Changes the reservation's slots to those of the assignment.
     *
     * @return the ids that clients see
     */
    Map<String, Object> giveExactly() {
        return giveExactly(List.of());
    }

    /**
     * Changes a running reservation's slots to those of the assignment.
     *
     * @param leaving hosts that it releases, also if its aggregate has lost them
     * @return the ids that clients see, if they are new; otherwise nothing
     */
    Map<String, Object> adjust(List<Allocation> leaving) {
        Map<String, Object> ids = giveExactly(leaving);
        boolean same =
                own().filter(own -> own.id().equals(String.valueOf(ids.get(AGGREGATE))))
                        .filter(
                                own ->
                                        Objects.equals(
                                                own.metadata().get(GROUP_SAID), ids.get(GROUP)))
                        .isPresent();
        return same ? Map.of() : ids;
    }

    private Map<String, Object> giveExactly(List<Allocation> leaving) {
        List<Place> wanted = sideBySide.map(assignment.resources(), this::place);
        Set<String> hosts =
                wanted.stream().map(place -> place.host().host()).collect(Collectors.toSet());
        Aggregate own = own().orElseGet(this::create);
        Map<String, String> affinity = affinity();
        Map<String, String> ownership = ownership(affinity);
        if (!own.says(ownership)) {
            changes.setMetadata(own, ownership);
        }
        flavor.make(Flavor.ofSlots(assignment.parameters()), affinity);
        slots.makeClass();
        Set<String> left = new TreeSet<>(own.hosts());
        left.addAll(servicesOf(leaving));
        left.removeAll(hosts);
        leave(own, List.copyOf(left));
        sideBySide.each(wanted, place -> take(own, place));
        changes.tell(own);
        // No server may take a slot before all of them exist.
        flavor.openTo(assignment.project());
        Map<String, Object> ids = new TreeMap<>();
        ids.put(AGGREGATE, Integer.valueOf(own.id()));
        affinity.values().forEach(id -> ids.put(GROUP, id));
        return ids;
    }

    /** Removes all slots, and leaves nothing. */
    void takeBack() {
        // Its project then gets the error that the flavor is missing, not that no host fits.
        flavor.close();
        Set<String> names =
                assignment.resources().stream()
                        .map(Allocation::name)
                        .collect(Collectors.toCollection(TreeSet::new));
        own().ifPresentOrElse(
                        own -> names.addAll(hypervisorsOf(own.hosts())),
                        () -> names.addAll(slots.hypervisors(sideBySide)));
        withdraw(
                names,
                flavor.exists()
                        ? () -> nova.serversOfFlavor(flavorId())
                        : () -> serversInSlotsOf(names));
        slots.deleteClass();
        flavor.delete();
        if (assignment.parameters().get(AFFINITY) != null) {
            group.delete(assignment.project());
        }
        own().ifPresent(
                        own -> {
                            sideBySide.each(own.hosts(), host -> changes.remove(own, host));
                            changes.delete(own);
                        });
    }

    private Optional<Aggregate> own() {
        return before.named(assignment.reservation().toString());
    }

    private Aggregate create() {
        // Not a zone: a host has only one, and may have slots of many reservations.
        return changes.createAggregate(assignment.reservation().toString(), null);
    }

    /** Returns whether it belongs to a reservation of instances; those of hosts are zones. */
    static boolean isOwn(Aggregate aggregate) {
        return aggregate.zone() == null
                && aggregate.name().equals(aggregate.metadata().get(RESERVATION));
    }

    /** Returns the metadata for the server group; empty if there is none. */
    private Map<String, String> affinity() {
        if (!(assignment.parameters().get(AFFINITY) instanceof Boolean together)) {
            return Map.of();
        }
        TrustId trust = assignment.trust();
        // A lease from another reservation service has no trust, but that service made a group.
        return (trust == null
                        ? group.find(assignment.project())
                        : Optional.of(group.make(trust, assignment.project(), together)))
                .map(id -> Map.of(GROUP_SAID, id))
                .orElse(Map.of());
    }

    /** Returns the reservation service's metadata, which Nova's filters compare. */
    private Map<String, String> ownership(Map<String, String> affinity) {
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

    private Place place(Allocation allocation) {
        return nova.hypervisor(allocation.name())
                .map(hypervisor -> new Place(hypervisor, allocation.slots()))
                .orElseThrow(() -> Hypervisor.lacks(allocation.name(), "does not exist"));
    }

    private void take(Aggregate own, Place place) {
        String host = place.host().host();
        if (!own.hosts().contains(host)) {
            before.requireLeasable(place.host());
            if (!changes.add(own, host)) {
                throw place.host().lacks("is gone");
            }
        }
        slots.offer(place.host(), place.slots());
    }

    /** Finds servers by their slots: Nova finds none by a deleted flavor. */
    private List<Server> serversInSlotsOf(Collection<String> hypervisors) {
        return sideBySide.map(hypervisors, nova::hypervisor).stream()
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

    private List<String> servicesOf(List<Allocation> allocations) {
        return sideBySide.map(allocations, each -> nova.hypervisor(each.name())).stream()
                .flatMap(Optional::stream)
                .map(Hypervisor::host)
                .toList();
    }

    private void leave(Aggregate own, List<String> hosts) {
        withdraw(
                hypervisorsOf(hosts),
                () ->
                        sideBySide
                                .map(hosts, host -> nova.serversOfFlavor(flavorId(), host))
                                .stream()
                                .flatMap(List::stream)
                                .toList());
        sideBySide.each(hosts, host -> changes.remove(own, host));
    }

    /** Maps compute services, which aggregates hold, to hypervisors, which Placement knows. */
    private Collection<String> hypervisorsOf(Collection<String> hosts) {
        return sideBySide.map(hosts, nova::hypervisorOf).stream()
                .flatMap(Optional::stream)
                .map(Hypervisor::name)
                .toList();
    }

    private void withdraw(Collection<String> hypervisors, Supplier<List<Server>> servers) {
        List<Provider> providers =
                sideBySide.map(hypervisors, slots::find).stream()
                        .flatMap(Optional::stream)
                        .toList();
        // Otherwise new servers could start all the time.
        sideBySide.each(providers, slots::giveNoMore);
        new Eviction(nova, patience)
                .evict(changes, servers, "In slots of the reservation " + flavorId());
        sideBySide.each(providers, provider -> slots.withdraw(provider, patience));
    }
}
