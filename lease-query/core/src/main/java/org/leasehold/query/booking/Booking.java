package org.leasehold.query.booking;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.Share;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A booking of one resource by a reservation from one instant to another.
 *
 * @param slots of the resource; one for the whole of it
 * @param needs the amounts that each slot takes; null if the resource is booked as a whole
 * @param starts inclusive
 * @param ends exclusive
 */
public record Booking(
        ReservationId reservation,
        ResourceId resource,
        What what,
        int slots,
        @Nullable Map<String, Long> needs,
        Instant starts,
        Instant ends) {

    /** The type of a booking. */
    public enum What {
        /** Promised to its project. */
        PROMISED,
        /** Promised, and given. */
        ACTIVE
    }

    /** Returns those of a lease, by type, reservation and resource, in the order of time. */
    public static List<Booking> of(LeaseBookings lease) {
        List<Booking> bookings = new ArrayList<>();
        List<AllocationPeriod> stretches = lease.periods();
        for (What what : What.values()) {
            for (AllocationPeriod stretch : stretches) {
                add(of(stretch, what), bookings);
            }
        }
        return bookings;
    }

    private static @Nullable Booking of(AllocationPeriod stretch, What what) {
        Allocation promised = stretch.promised();
        int slots =
                switch (what) {
                    case PROMISED -> stretch.slots();
                    case ACTIVE -> Math.min(stretch.slots(), stretch.given());
                };
        if (promised == null || slots == 0) {
            return null;
        }
        Share share = promised.share();
        return new Booking(
                stretch.reservation(),
                stretch.resource(),
                what,
                slots,
                share == null ? null : share.needs(),
                stretch.starts(),
                stretch.ends());
    }

    private static void add(@Nullable Booking booking, List<Booking> bookings) {
        if (booking == null) {
            return;
        }
        if (!bookings.isEmpty() && booking.continues(bookings.getLast())) {
            Booking before = bookings.removeLast();
            bookings.add(before.withPeriod(before.starts, booking.ends));
        } else {
            bookings.add(booking);
        }
    }

    private boolean continues(Booking before) {
        return starts.equals(before.ends) && equals(before.withPeriod(starts, ends));
    }

    private Booking withPeriod(Instant from, Instant until) {
        return new Booking(reservation, resource, what, slots, needs, from, until);
    }
}
