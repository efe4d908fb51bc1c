package org.leasehold.query.capacity.projection;

import org.leasehold.calendar.RefusedDemand;
import org.leasehold.calendar.RefusedDemand.Kept;
import org.leasehold.calendar.Shortage;
import org.leasehold.history.RecordedEvent;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.LeaseEvent.LeaseChangeRefused;
import org.leasehold.lease.LeaseEvent.LeaseRefused;
import org.leasehold.lease.ReservationWish;
import org.leasehold.query.account.ResourceKinds;
import org.leasehold.query.booking.Booking;
import org.leasehold.query.booking.LeaseBookings;
import org.leasehold.vocabulary.LeasePeriod;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A refused request.
 *
 * @param lease the id of the lease, as in its stream
 * @param position of its event
 * @param number its number in the event
 * @param wish the requirement, as in {@link RefusedRequirement}
 * @param unmet whole resources, or slots, that the lease did not have already
 */
record RefusedRequest(
        String lease,
        long position,
        int number,
        ResourceKind kind,
        String wish,
        int unmet,
        LeasePeriod period) {

    /**
     * Returns those in events of a lease.
     *
     * @param life the events of the lease, from the first one on
     * @param first the position of the first of these events
     */
    static List<RefusedRequest> fromEvents(
            List<RecordedEvent> life, long first, ResourceKinds kinds) {
        List<RefusedRequest> refusals = new ArrayList<>();
        for (int i = 0; i < life.size(); i++) {
            RecordedEvent recorded = life.get(i);
            if (recorded.position() < first) {
                continue;
            }
            List<RecordedEvent> before = life.subList(0, i);
            switch (recorded.event()) {
                case LeaseRefused it ->
                        add(
                                recorded,
                                it.period(),
                                it.reservations(),
                                it.shortages(),
                                _ -> List.of(),
                                refusals);
                case LeaseChangeRefused it ->
                        add(
                                recorded,
                                it.period(),
                                it.reservations(),
                                it.shortages(),
                                shortage -> keptBookings(before, shortage, kinds),
                                refusals);
                default -> {
                    // Other events refuse nothing.
                }
            }
        }
        return refusals;
    }

    private static void add(
            RecordedEvent event,
            LeasePeriod period,
            List<ReservationWish> wishes,
            List<Shortage> shortages,
            Function<Shortage, List<Kept>> kept,
            List<RefusedRequest> refusals) {
        int number = 0;
        for (Shortage shortage : shortages) {
            String wish = RefusedRequirement.of(wishes, shortage);
            for (RefusedDemand unmet :
                    RefusedDemand.of(
                            shortage.wanted(), period, event.decidedAt(), kept.apply(shortage))) {
                refusals.add(
                        new RefusedRequest(
                                event.stream(),
                                event.position(),
                                number++,
                                shortage.kind(),
                                wish,
                                unmet.amount(),
                                unmet.period()));
            }
        }
    }

    /** Returns the reservation's earlier bookings of the kind that is short. */
    private static List<Kept> keptBookings(
            List<RecordedEvent> life, Shortage shortage, ResourceKinds kinds) {
        List<Booking> bookings =
                Booking.of(LeaseBookings.of(life)).stream()
                        .filter(booking -> booking.what() == Booking.What.PROMISED)
                        .filter(booking -> booking.reservation().equals(shortage.reservation()))
                        .toList();
        Map<ResourceId, ResourceKind> known =
                kinds.of(bookings.stream().map(Booking::resource).collect(Collectors.toSet()));
        return bookings.stream()
                .filter(booking -> shortage.kind().equals(known.get(booking.resource())))
                .map(booking -> new Kept(booking.slots(), booking.starts(), booking.ends()))
                .toList();
    }

    /** Returns the pool of refusals of the same request. */
    CapacityPool pool() {
        return CapacityPool.ofRequest(kind, wish);
    }
}
