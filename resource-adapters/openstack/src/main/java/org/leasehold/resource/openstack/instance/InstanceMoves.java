package org.leasehold.resource.openstack.instance;

import org.leasehold.lease.Allocation;
import org.leasehold.lease.Fault;
import org.leasehold.resource.Replacement;
import org.leasehold.resource.openstack.CloudFailure;
import org.leasehold.resource.openstack.PollingWait;
import org.leasehold.resource.openstack.compute.Guest;
import org.leasehold.resource.openstack.compute.Hypervisor;
import org.leasehold.resource.openstack.compute.ServerMove;
import org.leasehold.resource.openstack.compute.ServerMove.NovaAccess;
import org.leasehold.resource.openstack.placement.ResourceProvider;
import org.leasehold.vocabulary.ReservationId;

import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** Moves of a reservation's servers from hosts that leave it to those that replace them. */
record InstanceMoves(
        NovaAccess access,
        ReservedSlots slots,
        PollingWait pollingWait,
        ReservationId reservation) {

    /** The most attempts while the holder starts servers on a leaving host at the same time. */
    private static final int MAX_ATTEMPTS = 5;

    /** Moves all servers of the reservation. The targets have their slots already. */
    void moveAll(Collection<Replacement> replacements) {
        access.parallelCalls().forEach(replacements, this::move);
    }

    private void move(Replacement replacement) {
        // A host that Nova does not know any more has no servers that could move.
        hypervisor(replacement.from())
                .ifPresent(
                        from ->
                                moveAll(
                                        from,
                                        hypervisor(replacement.to())
                                                .orElseThrow(() -> missing(replacement.to()))));
    }

    private void moveAll(Hypervisor from, Hypervisor to) {
        Optional<ResourceProvider> slotsOfSource = slots.findProvider(from.name());
        for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
            if (!guestsOn(from).isEmpty()) {
                // Nova may refuse moves from a provider whose units are all reserved.
                slotsOfSource.ifPresent(slots::offerAll);
            }
            ServerMove.run(access, from, to, this::isOwn, pollingWait);
            if (slotsOfSource.map(part -> reserveUnused(part, from, to)).orElse(true)) {
                return;
            }
        }
        throw new CloudFailure(
                Fault.Kind.RETRYABLE,
                CloudFailure.NO_ANSWER,
                "Servers of the reservation start on the host %s while it leaves"
                        .formatted(from.name()));
    }

    /**
     * Reserves the slots of the source when no server takes any. Nova frees the slot of a server
     * after its move: if the inventory changes at that moment, Nova puts the server into error.
     *
     * @return false if another server has started there meanwhile, which moves as well
     */
    private boolean reserveUnused(ResourceProvider part, Hypervisor from, Hypervisor to) {
        if (!from.up()) {
            slots.freeEvacuated(from, part, idsOn(to));
        }
        pollingWait.await(
                () ->
                        slots.isUnused(part) || !guestsOn(from).isEmpty()
                                ? Optional.empty()
                                : Optional.of(ReservedSlots.describeUse(part)));
        if (!slots.isUnused(part)) {
            return false;
        }
        slots.reserveAll(part);
        return slots.isUnused(part);
    }

    private List<Guest> guestsOn(Hypervisor hypervisor) {
        return access.nova().guestsOn(hypervisor.host()).stream()
                .filter(this::isOwn)
                .filter(guest -> !ServerMove.isDeleted(guest))
                .toList();
    }

    private List<String> idsOn(Hypervisor hypervisor) {
        return guestsOn(hypervisor).stream().map(guest -> guest.server().id()).toList();
    }

    private boolean isOwn(Guest guest) {
        return guest.reservation().filter(reservation::equals).isPresent();
    }

    private Optional<Hypervisor> hypervisor(Allocation allocation) {
        return access.nova().hypervisor(allocation.name());
    }

    private static CloudFailure missing(Allocation allocation) {
        return Hypervisor.failure(allocation.name(), "does not exist");
    }
}
