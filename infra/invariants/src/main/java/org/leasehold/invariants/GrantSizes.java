package org.leasehold.invariants;

import org.jspecify.annotations.Nullable;
import org.leasehold.calendar.Demand;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.LeaseImported;
import org.leasehold.lease.LeaseEvent.LeaseRequested;
import org.leasehold.lease.LeaseEvent.ReservationAdded;
import org.leasehold.lease.LeaseEvent.ReservationChanged;
import org.leasehold.lease.LeaseEvent.ReservationGranted;
import org.leasehold.lease.LeaseId;
import org.leasehold.lease.ReservationId;
import org.leasehold.lease.ReservationWish;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Checks that no grant is smaller than possible: if a reservation has less than its maximum, no
 * suitable resource is free. The events of one command are judged together.
 */
public final class GrantSizes {

    private final Book book;
    private final Consumer<String> complaints;
    private final List<Given> given = new ArrayList<>();
    private final Set<ReservationId> wished = new HashSet<>();
    private @Nullable LeaseId lease;

    public GrantSizes(Book book, Consumer<String> complaints) {
        this.book = book;
        this.complaints = complaints;
    }

    /**
     * A grant.
     *
     * @param atMost the most resources that were requested
     */
    private record Given(ReservationGranted event, int atMost) {}

    /** Notes an event before the book applies it. */
    public void before(LeaseEvent event) {
        if (!event.leaseId().equals(lease)) {
            check();
            lease = event.leaseId();
        }
        if (event instanceof LeaseRequested requested) {
            requested.reservations().stream().map(ReservationWish::id).forEach(wished::add);
        } else if (event instanceof ReservationAdded added) {
            wished.add(added.reservation().id());
        } else if (event instanceof ReservationChanged changed) {
            wished.add(changed.reservationId());
        } else if (event instanceof ReservationGranted granted) {
            given.add(new Given(granted, atMost(granted)));
        } else if (event instanceof LeaseImported) {
            // An imported lease has its former resources, and no more.
            given.clear();
        }
    }

    /** Returns the most resources; a new window alone does not increase their number. */
    private int atMost(ReservationGranted event) {
        BookedReservation reservation = reservation(event);
        Demand demand = reservation.demand();
        return wished.contains(reservation.id)
                ? demand.maximum()
                : Math.max(demand.minimum(), reservation.resources.size());
    }

    /** Judges the last command, after the book has applied its events. */
    public void check() {
        for (Given each : given) {
            if (reservation(each.event()).resources.size() < each.atMost()) {
                left(each.event())
                        .ifPresent(
                                id ->
                                        complaints.accept(
                                                "%s was free for up to %s, and not in %s"
                                                        .formatted(
                                                                id, each.atMost(), each.event())));
            }
        }
        given.clear();
        wished.clear();
        lease = null;
    }

    private Optional<ResourceId> left(ReservationGranted event) {
        BookedReservation reservation = reservation(event);
        Demand demand = reservation.demand();
        Window window = Window.of(event.period()).andThen(event.cleaning());
        // A resource that joins a running lease must have no holder.
        boolean runs =
                reservation.lease.reservations.stream()
                        .anyMatch(id -> !book.possessions().heldBy(id).isEmpty());
        return book.resources().entrySet().stream()
                .filter(each -> each.getValue().kind().equals(demand.kind()))
                .filter(each -> each.getValue().isEnabled())
                .filter(each -> each.getValue().meets(demand.requirement()))
                .map(each -> each.getKey())
                .filter(id -> book.promises().isFree(id, window, Set.of()))
                .filter(id -> !runs || book.possessions().holder(id) == null)
                .findFirst();
    }

    private BookedReservation reservation(ReservationGranted event) {
        return Objects.requireNonNull(book.find(event.reservationId()));
    }
}
