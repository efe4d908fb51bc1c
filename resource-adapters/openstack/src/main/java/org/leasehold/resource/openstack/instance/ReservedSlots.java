package org.leasehold.resource.openstack.instance;

import org.leasehold.lease.Fault;
import org.leasehold.resource.Acting.Fence;
import org.leasehold.resource.openstack.CloudFailure;
import org.leasehold.resource.openstack.ParallelCalls;
import org.leasehold.resource.openstack.PollingWait;
import org.leasehold.resource.openstack.compute.Hypervisor;
import org.leasehold.resource.openstack.placement.Placement;
import org.leasehold.resource.openstack.placement.PlacementChanges;
import org.leasehold.resource.openstack.placement.ResourceProvider;
import org.leasehold.vocabulary.ReservationId;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * The slots of a reservation: units of its own resource class. Each server of its flavor takes one,
 * and each of its hosts has as many as the calendar promised.
 */
final class ReservedSlots {

    private static final String CLASS_PREFIX = "CUSTOM_RESERVATION_";

    private final Placement placement;
    private final PlacementChanges changes;
    private final String resourceClass;

    ReservedSlots(Placement placement, Fence fence, ReservationId reservation) {
        this.placement = placement;
        this.changes = placement.fencedBy(fence);
        this.resourceClass = classOf(reservation);
    }

    /** Returns the name of the class, as in the reservation service. */
    static String classOf(ReservationId reservation) {
        return CLASS_PREFIX + reservation.toString().toUpperCase(Locale.ROOT).replace('-', '_');
    }

    /** Returns the reservation whose slots a class counts; empty if it is no reservation's. */
    static Optional<ReservationId> reservationOf(String resourceClass) {
        return resourceClass.startsWith(CLASS_PREFIX)
                ? ReservationId.find(
                        resourceClass.substring(CLASS_PREFIX.length()).replace('_', '-'))
                : Optional.empty();
    }

    boolean hasClass() {
        return placement.hasClass(resourceClass);
    }

    void createClass() {
        changes.createClass(resourceClass);
    }

    void deleteClass() {
        changes.deleteClass(resourceClass);
    }

    void setSlots(Hypervisor hypervisor, int slots) {
        ResourceProvider provider = findOrCreateProvider(hypervisor);
        changes.addTrait(provider, ResourceProvider.RESERVABLE);
        changes.setTotal(provider, resourceClass, slots);
    }

    /**
     * Returns the provider, and creates it with the first reservation: the enrolment of a host
     * needs no Placement. Only Nova deletes it, with the host. A compute service that still knows a
     * deleted provider starts no servers at all, for minutes.
     */
    private ResourceProvider findOrCreateProvider(Hypervisor hypervisor) {
        String name = ResourceProvider.reservablePartOf(hypervisor.name());
        ResourceProvider part =
                placement
                        .provider(name)
                        .orElseGet(() -> changes.createProvider(name, hypervisor.id()));
        if (!hypervisor.id().equals(part.parent())) {
            // The host is not the earlier one of the same name.
            throw new CloudFailure(
                    Fault.Kind.INSUFFICIENT_RESOURCES,
                    CloudFailure.NO_ANSWER,
                    "The provider %s in Placement is no part of the host %s"
                            .formatted(name, hypervisor.name()));
        }
        return part;
    }

    /** Returns the part of a hypervisor that has slots of any reservation; empty for none. */
    Optional<ResourceProvider> findProvider(String hypervisor) {
        return placement.provider(ResourceProvider.reservablePartOf(hypervisor));
    }

    /** Returns the hypervisors that have any, with a query to Placement for each that ever had. */
    List<String> hypervisors(ParallelCalls sideBySide) {
        if (!hasClass()) {
            return List.of();
        }
        List<ResourceProvider> parts =
                placement.providers().stream()
                        .filter(part -> part.hypervisor().isPresent())
                        .toList();
        return sideBySide
                .map(
                        parts,
                        part ->
                                count(part).isPresent()
                                        ? part.hypervisor()
                                        : Optional.<String>empty())
                .stream()
                .flatMap(Optional::stream)
                .toList();
    }

    Optional<Long> count(ResourceProvider provider) {
        return placement.total(provider, resourceClass);
    }

    void reserveAll(ResourceProvider provider) {
        changes.reserveAll(provider, resourceClass);
    }

    /** Offers all units to servers once more, after {@link #reserveAll}. */
    void offerAll(ResourceProvider provider) {
        count(provider).ifPresent(total -> changes.setTotal(provider, resourceClass, total));
    }

    /** Returns whether no server takes a slot, and none that moves away. */
    boolean isUnused(ResourceProvider provider) {
        return placement.consumers(provider, resourceClass).isEmpty();
    }

    /**
     * Frees the slots of servers that run elsewhere now. Nova itself frees them only when the host
     * that was down comes up.
     */
    void freeEvacuated(Hypervisor down, ResourceProvider provider, Collection<String> servers) {
        placement.consumers(provider, resourceClass).stream()
                .filter(servers::contains)
                .forEach(
                        server ->
                                changes.removeAllocations(
                                        server, Set.of(down.id(), provider.id())));
    }

    void removeFromProvider(ResourceProvider provider, PollingWait patience) {
        // A server is gone a moment before its slot is free again.
        patience.await(
                () ->
                        changes.removeInventory(provider, resourceClass)
                                ? Optional.empty()
                                : Optional.of(describeUse(provider)));
    }

    static String describeUse(ResourceProvider provider) {
        return "Something still takes slots of " + provider.name();
    }
}
