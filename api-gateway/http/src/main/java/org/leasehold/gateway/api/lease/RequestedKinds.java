package org.leasehold.gateway.api.lease;

import static java.util.stream.Collectors.toUnmodifiableMap;

import org.leasehold.calendar.Shortage;
import org.leasehold.gateway.api.problem.Problem.Shortfall;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.LeaseCommand.ChangeLease;
import org.leasehold.lease.LeaseCommand.CreateLease;
import org.leasehold.lease.ReservationWish;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.readmodel.lease.ReservationView;
import org.leasehold.vocabulary.ReservationId;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The kinds that a request names. A shortage of the calendar has the kind of the resource that is
 * short: for instances, it is hosts that have no room. The caller requested instances.
 */
public record RequestedKinds(Map<ReservationId, ResourceKind> byReservation) {

    public static final RequestedKinds NONE = new RequestedKinds(Map.of());

    public RequestedKinds {
        byReservation = Map.copyOf(byReservation);
    }

    public static RequestedKinds of(CreateLease command) {
        return new RequestedKinds(
                command.reservations().stream()
                        .collect(toUnmodifiableMap(ReservationWish::id, ReservationWish::kind)));
    }

    static RequestedKinds of(ChangeLease command, LeaseView lease) {
        Map<ReservationId, ResourceKind> kinds = new HashMap<>();
        for (ReservationView present : lease.reservations()) {
            kinds.put(present.id(), present.kind());
        }
        command.further().forEach(wish -> kinds.put(wish.id(), wish.kind()));
        return new RequestedKinds(kinds);
    }

    public List<Shortfall> shortfalls(List<Shortage> shortages) {
        return shortages.stream().map(this::shortfall).toList();
    }

    private Shortfall shortfall(Shortage shortage) {
        ResourceKind asked = byReservation.getOrDefault(shortage.reservation(), shortage.kind());
        // A stack has parts of several kinds, and one of them is short.
        return Shortfall.of(shortage, asked.equals(ResourceKind.STACK) ? shortage.kind() : asked);
    }
}
