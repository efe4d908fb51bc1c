package org.leasehold.resource.openstack.instance;

import org.leasehold.lease.Fault;
import org.leasehold.lease.ReservationId;
import org.leasehold.resource.Acting.Fence;
import org.leasehold.resource.openstack.CloudFailure;
import org.leasehold.resource.openstack.Patience;
import org.leasehold.resource.openstack.SideBySide;
import org.leasehold.resource.openstack.compute.Hypervisor;
import org.leasehold.resource.openstack.placement.Placement;
import org.leasehold.resource.openstack.placement.PlacementChanges;
import org.leasehold.resource.openstack.placement.Provider;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The slots of a reservation: units of its own resource class. Each server of its flavor takes one,
 * and each of its hosts has as many as the calendar promised.
 */
final class ReservedSlots {

    private static final String CLASSES = "CUSTOM_RESERVATION_";

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
        return CLASSES + reservation.toString().toUpperCase(Locale.ROOT).replace('-', '_');
    }

    /** Returns the reservation whose slots a class counts; empty if it is no reservation's. */
    static Optional<ReservationId> reservationOf(String resourceClass) {
        return resourceClass.startsWith(CLASSES)
                ? ReservationId.find(resourceClass.substring(CLASSES.length()).replace('_', '-'))
                : Optional.empty();
    }

    boolean haveClass() {
        return placement.hasClass(resourceClass);
    }

    void makeClass() {
        changes.createClass(resourceClass);
    }

    void deleteClass() {
        changes.deleteClass(resourceClass);
    }

    void offer(Hypervisor hypervisor, int slots) {
        Provider provider = partOf(hypervisor);
        changes.addTrait(provider, Provider.RESERVABLE);
        changes.offer(provider, resourceClass, slots);
    }

    /**
     * Returns the provider, and creates it with the first reservation: the enrolment of a host
     * needs no Placement. Only Nova deletes it, with the host. A compute service that still knows a
     * deleted provider starts no servers at all, for minutes.
     */
    private Provider partOf(Hypervisor hypervisor) {
        String name = Provider.reservablePartOf(hypervisor.name());
        Provider part =
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
    Optional<Provider> find(String hypervisor) {
        return placement.provider(Provider.reservablePartOf(hypervisor));
    }

    /** Returns the hypervisors that have any, with a query to Placement for each that ever had. */
    List<String> hypervisors(SideBySide sideBySide) {
        if (!haveClass()) {
            return List.of();
        }
        List<Provider> parts =
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

    Optional<Long> count(Provider provider) {
        return placement.total(provider, resourceClass);
    }

    void giveNoMore(Provider provider) {
        changes.giveNoMore(provider, resourceClass);
    }

    void withdraw(Provider provider, Patience patience) {
        // A server is gone a moment before its slot is free again.
        patience.await(
                () ->
                        changes.withdraw(provider, resourceClass)
                                ? Optional.empty()
                                : Optional.of("Something still takes slots of " + provider.name()));
    }
}
