package org.leasehold.invariants;

import org.jspecify.annotations.Nullable;
import org.leasehold.calendar.Demand;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.LeaseImported;
import org.leasehold.lease.LeaseEvent.LeaseRequested;
import org.leasehold.lease.LeaseEvent.ReservationAdded;
import org.leasehold.lease.LeaseEvent.ReservationAdjusted;
import org.leasehold.lease.LeaseEvent.ReservationChanged;
import org.leasehold.lease.LeaseEvent.ReservationGranted;
import org.leasehold.lease.ReservationWish;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ReservationId;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Checks that no grant is smaller than possible: if a reservation has less than its maximum, no
 * suitable resource is free. The cloud's confirmation of a smaller request grants as much as
 * possible of what the reservation has. The events of one command are judged together.
 */
public final class GrantSizeCheck {

    private final ExpectedState state;
    private final Consumer<String> violations;
    private final List<Given> grants = new ArrayList<>();
    private final List<Given> reductions = new ArrayList<>();
    private final Set<ReservationId> requestedReservations = new HashSet<>();
    private @Nullable LeaseId lease;
    private @Nullable LeaseEvent previous;

    public GrantSizeCheck(ExpectedState book, Consumer<String> complaints) {
        this.state = book;
        this.violations = complaints;
    }

    /**
     * A grant.
     *
     * @param maximum the most resources that were requested
     * @param before the resources that the reservation had
     */
    private record Given(ReservationGranted event, int maximum, Set<ResourceId> before) {

        Given {
            before = Set.copyOf(before);
        }
    }

    /** Notes an event before the expected state includes it. */
    public void recordEvent(LeaseEvent event) {
        if (!event.leaseId().equals(lease)) {
            check();
            lease = event.leaseId();
        }
        if (event instanceof LeaseRequested requested) {
            requested.reservations().stream()
                    .map(ReservationWish::id)
                    .forEach(requestedReservations::add);
        } else if (event instanceof ReservationAdded added) {
            requestedReservations.add(added.reservation().id());
        } else if (event instanceof ReservationChanged changed) {
            requestedReservations.add(changed.reservationId());
        } else if (event instanceof ReservationGranted granted) {
            grants.add(new Given(granted, maximumSize(granted), reservation(granted).resources));
        } else if (event instanceof ReservationAdjusted adjusted
                && previous instanceof ReservationGranted granted
                && granted.reservationId().equals(adjusted.reservationId())) {
            // A change by a user has an event of its own between them.
            reductions.add(grants.removeLast());
        } else if (event instanceof LeaseImported) {
            // An imported lease has its former resources, and no more.
            grants.clear();
        }
        previous = event;
    }

    /** Returns the most resources; a new window alone does not increase their number. */
    private int maximumSize(ReservationGranted event) {
        ExpectedReservationState reservation = reservation(event);
        Demand demand = reservation.demand();
        return requestedReservations.contains(reservation.id)
                ? demand.maximum()
                : Math.max(demand.minimum(), reservation.resources.size());
    }

    /** Judges the last command, after the expected state includes its events. */
    public void check() {
        for (Given each : grants) {
            if (reservation(each.event()).resources.size() < each.maximum()) {
                findFreeResource(each.event())
                        .ifPresent(
                                id ->
                                        violations.accept(
                                                "%s was free for up to %s, and not in %s"
                                                        .formatted(
                                                                id, each.maximum(), each.event())));
            }
        }
        reductions.forEach(this::checkReduction);
        grants.clear();
        reductions.clear();
        requestedReservations.clear();
        lease = null;
        previous = null;
    }

    private void checkReduction(Given each) {
        Set<ResourceId> rest =
                each.event().allocations().stream()
                        .map(Allocation::resource)
                        .collect(Collectors.toSet());
        if (!each.before().containsAll(rest)
                || rest.size() != Math.min(each.maximum(), each.before().size())) {
            violations.accept(
                    "%s does not remain of %s by %s".formatted(rest, each.before(), each.event()));
        }
    }

    private Optional<ResourceId> findFreeResource(ReservationGranted event) {
        ExpectedReservationState reservation = reservation(event);
        Demand demand = reservation.demand();
        Window window = Window.of(event.period()).extendedBy(event.cleaning());
        // A resource that joins a running lease must have no holder.
        boolean runs =
                reservation.lease.reservations.stream()
                        .anyMatch(id -> !state.holdings().heldBy(id).isEmpty());
        return state.resources().entrySet().stream()
                .filter(each -> each.getValue().kind().equals(demand.kind()))
                .filter(each -> each.getValue().isEnabled())
                .filter(each -> each.getValue().meets(demand.requirement()))
                .map(each -> each.getKey())
                .filter(id -> state.promises().isFree(id, window, Set.of()))
                .filter(id -> !runs || state.holdings().holder(id) == null)
                .findFirst();
    }

    private ExpectedReservationState reservation(ReservationGranted event) {
        return Objects.requireNonNull(state.find(event.reservationId()));
    }
}
