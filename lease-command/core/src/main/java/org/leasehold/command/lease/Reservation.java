package org.leasehold.command.lease;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.LeaseEvent.ReservationAdjusting;
import org.leasehold.lease.LeaseEvent.ResourceReplaced;
import org.leasehold.lease.LeasePast;
import org.leasehold.lease.ReservationWish;
import org.leasehold.lease.ResourceMove;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.Tenure;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A reservation of a lease.
 *
 * @param allocations the resources that the calendar holds for it
 * @param tenure its present right to act on its resources; null while it holds nothing
 * @param leaving the resources that it released in the calendar but not yet in the cloud
 * @param failed its resources that are down in the cloud
 * @param moves those of {@code leaving} that others replace
 */
record Reservation(
        ReservationWish wish,
        List<Allocation> allocations,
        Phase phase,
        @Nullable Tenure tenure,
        List<Allocation> leaving,
        Set<ResourceId> failed,
        List<ResourceMove> moves) {

    Reservation {
        failed = Set.copyOf(failed);
        moves = List.copyOf(moves);
    }

    enum Phase {
        PENDING,
        /** It has its resources, and starts when all that it starts after are active. */
        WAITING,
        STARTING,
        ACTIVE,
        ADJUSTING,
        START_FAILED,
        ADJUSTMENT_FAILED,
        /** It was removed from the lease, and its plug-in takes its resources back. */
        REMOVED,
        /** It was removed, and its plug-in could not take its resources back. */
        REMOVAL_FAILED,
        RELEASED
    }

    static Reservation of(ReservationWish wish) {
        return new Reservation(
                wish, List.of(), Phase.PENDING, null, List.of(), Set.of(), List.of());
    }

    ReservationId id() {
        return wish.id();
    }

    ResourceKind kind() {
        return wish.kind();
    }

    /** Returns true if it has its resources, so that the cloud may hold something for it. */
    boolean hasResources() {
        return tenure != null;
    }

    boolean hasTenure(Tenure other) {
        return other.equals(tenure);
    }

    boolean isIn(Phase... phases) {
        return Set.of(phases).contains(phase);
    }

    /** Returns true if it holds this resource, or is about to. */
    boolean hasResource(ResourceId resource) {
        return hasResources() && resources().contains(resource);
    }

    Set<ResourceId> resources() {
        return allocations.stream().map(Allocation::resource).collect(Collectors.toSet());
    }

    Set<ResourceId> leavingResources() {
        return leaving.stream().map(Allocation::resource).collect(Collectors.toSet());
    }

    Reservation withParameters(Map<String, @Nullable Object> parameters) {
        return new Reservation(
                wish.with(parameters), allocations, phase, tenure, leaving, failed, moves);
    }

    /** Replaces the allocations; a failed resource that is gone does not matter any more. */
    Reservation withAllocations(List<Allocation> granted) {
        Set<ResourceId> left =
                granted.stream()
                        .map(Allocation::resource)
                        .filter(failed::contains)
                        .collect(Collectors.toSet());
        return new Reservation(wish, granted, phase, tenure, leaving, left, moves);
    }

    Reservation replaced(ResourceReplaced event) {
        return withAllocations(
                allocations.stream()
                        .map(a -> a.resource().equals(event.replaced()) ? event.replacement() : a)
                        .toList());
    }

    Reservation withPhase(Phase next) {
        return new Reservation(wish, allocations, next, tenure, leaving, failed, moves);
    }

    /** Returns the imported state; a failed reservation is started again or taken back. */
    Reservation withPhase(LeasePast.Stage reached, @Nullable Tenure importedTenure) {
        return switch (reached) {
            case PENDING -> this;
            case ACTIVE ->
                    new Reservation(
                            wish,
                            allocations,
                            Phase.ACTIVE,
                            importedTenure,
                            leaving,
                            failed,
                            moves);
            case FAILED ->
                    new Reservation(
                            wish,
                            allocations,
                            Phase.START_FAILED,
                            importedTenure,
                            leaving,
                            failed,
                            moves);
            case ENDED -> released();
        };
    }

    Reservation starting(Tenure newTenure) {
        return new Reservation(
                wish, allocations, Phase.STARTING, newTenure, leaving, failed, moves);
    }

    Reservation waiting(Tenure newTenure) {
        return new Reservation(wish, allocations, Phase.WAITING, newTenure, leaving, failed, moves);
    }

    Reservation adjusting(ReservationAdjusting event) {
        return new Reservation(
                wish,
                allocations,
                Phase.ADJUSTING,
                event.tenure(),
                event.leaving(),
                failed,
                event.moves() == null ? List.of() : event.moves());
    }

    /** Returns the moves to resources that the reservation has after a change; null for none. */
    @Nullable List<ResourceMove> movesTo(Set<ResourceId> after) {
        return SharedLeaseRules.orNull(
                moves.stream()
                        .filter(move -> after.contains(move.to()) && !after.contains(move.from()))
                        .toList());
    }

    Reservation adjusted() {
        return new Reservation(
                wish, allocations, Phase.ACTIVE, tenure, List.of(), failed, List.of());
    }

    Reservation withTenure(Tenure newTenure) {
        return new Reservation(wish, allocations, phase, newTenure, leaving, failed, moves);
    }

    Reservation withFailedResource(ResourceId resource) {
        Set<ResourceId> more = new HashSet<>(failed);
        more.add(resource);
        return new Reservation(wish, allocations, phase, tenure, leaving, more, moves);
    }

    Reservation withoutFailedResource(ResourceId resource) {
        Set<ResourceId> fewer = new HashSet<>(failed);
        fewer.remove(resource);
        return new Reservation(wish, allocations, phase, tenure, leaving, fewer, moves);
    }

    Reservation released() {
        return new Reservation(
                wish, List.of(), Phase.RELEASED, null, List.of(), Set.of(), List.of());
    }
}
