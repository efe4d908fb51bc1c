package org.leasehold.query.booking;

import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.calendar.BookingCalendar.Booking;
import org.leasehold.readmodel.calendar.BookingCalendar.Line;
import org.leasehold.readmodel.calendar.BookingCalendar.Taken;
import org.leasehold.vocabulary.LeasePeriod;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * The end of a page of the calendar. It contains no more than the page's last line does.
 *
 * @param reservation {@link #NIL_RESERVATION} for bookings of others
 */
record CalendarMarker(long resource, Instant starts, UUID reservation) {

    /** The reservation that sorts before all others. */
    static final UUID NIL_RESERVATION = new UUID(0, 0);

    private static final Pattern PATTERN =
            Pattern.compile("([0-9]{1,18}) (\\S{1,40}) ([0-9a-f-]{36})");

    static CalendarMarker after(Line line) {
        return new CalendarMarker(
                line.resource().value(),
                line.starts(),
                switch (line) {
                    case Booking booking -> booking.reservation().value();
                    case Taken _ -> NIL_RESERVATION;
                });
    }

    /** Returns the opaque text for clients. */
    String text() {
        return Page.encodeMarker(resource + " " + starts + " " + reservation);
    }

    /**
     * Parses the text from a client.
     *
     * @throws IllegalArgumentException if it is not a marker
     */
    static CalendarMarker of(String text) {
        try {
            var parts = PATTERN.matcher(Page.decodeMarker(text));
            if (parts.matches()) {
                Instant starts = Instant.parse(parts.group(2));
                if (!starts.isBefore(Instant.EPOCH) && !starts.isAfter(LeasePeriod.MAX_TIME)) {
                    return new CalendarMarker(
                            Long.parseLong(parts.group(1)),
                            starts,
                            UUID.fromString(parts.group(3)));
                }
            }
        } catch (IllegalArgumentException | DateTimeException malformed) {
            throw new IllegalArgumentException("not a marker: " + text, malformed);
        }
        throw new IllegalArgumentException("not a marker: " + text);
    }
}
