package org.leasehold.query.booking;

import org.jspecify.annotations.Nullable;
import org.leasehold.history.RecordedEvent;
import org.leasehold.lease.LeaseEvent;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A booking, and the time in which it was known.
 *
 * @param from the position of the event since which it is known
 * @param to the position of the event since which it is not; null if it still is
 */
public record BookingVersion(Booking booking, long from, @Nullable Long to) {

    /**
     * Returns all bookings of one lease that were ever known.
     *
     * @param life its events from the first one on
     */
    public static List<BookingVersion> of(List<RecordedEvent> life) {
        LeaseBookings bookings = new LeaseBookings();
        Map<Booking, Long> known = new LinkedHashMap<>();
        List<BookingVersion> all = new ArrayList<>();
        for (RecordedEvent recorded : life) {
            if (!bookings.apply((LeaseEvent) recorded.event(), recorded.decidedAt())) {
                continue;
            }
            Set<Booking> now = new LinkedHashSet<>(Booking.of(bookings));
            known.entrySet()
                    .removeIf(
                            each ->
                                    !now.contains(each.getKey())
                                            && all.add(
                                                    new BookingVersion(
                                                            each.getKey(),
                                                            each.getValue(),
                                                            recorded.position())));
            now.forEach(booking -> known.putIfAbsent(booking, recorded.position()));
        }
        known.forEach((booking, from) -> all.add(new BookingVersion(booking, from, null)));
        return all;
    }

    /** Returns whether it was known before an event, and this one or a later one has undone it. */
    public boolean isUndoneSince(long position) {
        return from < position && to != null && to >= position;
    }
}
