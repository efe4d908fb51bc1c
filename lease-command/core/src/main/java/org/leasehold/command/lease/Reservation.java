package org.leasehold.command.lease;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.LeaseEvent.ReservationAdjusting;
import org.leasehold.lease.LeaseEvent.ResourceReplaced;
import org.leasehold.lease.LeasePast;
import org.leasehold.lease.ReservationId;
import org.leasehold.lease.ReservationWish;
import org.leasehold.lease.Tenure;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * One reservation of a lease.
 *
 * @param allocations what the calendar holds for it
 * @param tenure its present right to act on what it holds; null while it holds nothing
 * @param leaving what it has given up in the calendar but not yet in the cloud
 * @param failed which of its resources are down in the cloud
 */
record Reservation(
        ReservationWish wish,
        List<Allocation> allocations,
        Phase phase,
        @Nullable Tenure tenure,
        List<Allocation> leaving,
        Set<ResourceId> failed) {

    Reservation {
        failed = Set.copyOf(failed);
    }

    enum Phase {
        PENDING,
        STARTING,
        ACTIVE,
        ADJUSTING,
        START_FAILED,
        ADJUSTMENT_FAILED,
        RELEASED
    }

    static Reservation of(ReservationWish wish) {
        return new Reservation(wish, List.of(), Phase.PENDING, null, List.of(), Set.of());
    }

    ReservationId id() {
        return wish.id();
    }

    /** Whether it has taken its resources up, so that the cloud may hold something for it. */
    boolean holds() {
        return tenure != null;
    }

    boolean hasTenure(Tenure other) {
        return other.equals(tenure);
    }

    boolean isIn(Phase... phases) {
        return Set.of(phases).contains(phase);
    }

    /** Whether it holds this resource, or is about to. */
    boolean hasTakenUp(ResourceId resource) {
        return holds() && resources().contains(resource);
    }

    Set<ResourceId> resources() {
        return allocations.stream().map(Allocation::resource).collect(Collectors.toSet());
    }

    Set<ResourceId> leavingResources() {
        return leaving.stream().map(Allocation::resource).collect(Collectors.toSet());
    }

    Reservation wishing(Map<String, @Nullable Object> parameters) {
        return new Reservation(wish.with(parameters), allocations, phase, tenure, leaving, failed);
    }

    /** What it has no longer may fail: it is none of its concern. */
    Reservation granted(List<Allocation> granted) {
        Set<ResourceId> left =
                granted.stream()
                        .map(Allocation::resource)
                        .filter(failed::contains)
                        .collect(Collectors.toSet());
        return new Reservation(wish, granted, phase, tenure, leaving, left);
    }

    Reservation replaced(ResourceReplaced event) {
        return granted(
                allocations.stream()
                        .map(a -> a.resource().equals(event.replaced()) ? event.replacement() : a)
                        .toList());
    }

    Reservation in(Phase next) {
        return new Reservation(wish, allocations, next, tenure, leaving, failed);
    }

    /** As it was elsewhere; whatever failed there is started anew or taken back. */
    Reservation in(LeasePast.Stage reached, @Nullable Tenure itsTenure) {
        return switch (reached) {
            case PENDING -> this;
            case ACTIVE ->
                    new Reservation(wish, allocations, Phase.ACTIVE, itsTenure, leaving, failed);
            case FAILED ->
                    new Reservation(
                            wish, allocations, Phase.START_FAILED, itsTenure, leaving, failed);
            case ENDED -> released();
        };
    }

    Reservation starting(Tenure newTenure) {
        return new Reservation(wish, allocations, Phase.STARTING, newTenure, leaving, failed);
    }

    Reservation adjusting(ReservationAdjusting event) {
        return new Reservation(
                wish, allocations, Phase.ADJUSTING, event.tenure(), event.leaving(), failed);
    }

    Reservation adjusted() {
        return new Reservation(wish, allocations, Phase.ACTIVE, tenure, List.of(), failed);
    }

    Reservation renewed(Tenure newTenure) {
        return new Reservation(wish, allocations, phase, newTenure, leaving, failed);
    }

    Reservation failing(ResourceId resource) {
        Set<ResourceId> more = new HashSet<>(failed);
        more.add(resource);
        return new Reservation(wish, allocations, phase, tenure, leaving, more);
    }

    Reservation recovering(ResourceId resource) {
        Set<ResourceId> fewer = new HashSet<>(failed);
        fewer.remove(resource);
        return new Reservation(wish, allocations, phase, tenure, leaving, fewer);
    }

    Reservation released() {
        return new Reservation(wish, List.of(), Phase.RELEASED, null, List.of(), Set.of());
    }
}
