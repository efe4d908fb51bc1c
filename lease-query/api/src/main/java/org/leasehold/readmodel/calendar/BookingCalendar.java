package org.leasehold.readmodel.calendar;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.UnknownMarker;
import org.leasehold.readmodel.operation.ProjectionOffsets;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;

import java.time.Duration;
import java.time.Instant;

/** The calendar of bookings by resource, project and time, past ones included. */
public interface BookingCalendar {

    /** The name of the read model behind it, for {@link ProjectionOffsets}. */
    String READ_MODEL = "bookings";

    /** The longest window of a query. */
    Duration MAX_WINDOW = Duration.ofDays(366);

    /**
     * Returns a page of bookings, by resource and start.
     *
     * @throws UnknownMarker if no page gave the marker
     */
    Page<Line> page(ListBookings question);

    /**
     * A query for bookings.
     *
     * @param asker the only project whose bookings may be seen; null if all may be. Bookings of
     *     others appear as {@code Taken} only in queries for resources as they are now. Queries for
     *     a lease, a project or the past return the caller's alone
     * @param filter the conditions on bookings
     * @param from bookings that end before or at this instant are left out
     * @param to bookings that start at this instant or later are left out; at most {@link
     *     #MAX_WINDOW} later
     * @param asOf the position of the last event to include; null for what is known now
     * @param marker the end of the page before; null for the first page
     * @param limit 1 to 1000
     */
    record ListBookings(
            @Nullable ProjectId asker,
            Filter filter,
            Instant from,
            Instant to,
            @Nullable Long asOf,
            @Nullable String marker,
            int limit) {

        public ListBookings {
            if (limit < 1 || limit > 1000) {
                throw new IllegalArgumentException("a page has 1 to 1000 bookings: " + limit);
            }
            if (!from.isBefore(to) || to.isAfter(from.plus(MAX_WINDOW))) {
                throw new IllegalArgumentException("no window: from " + from + " to " + to);
            }
        }

        /** Returns the query for the page after a marker. */
        public ListBookings after(String marker) {
            return new ListBookings(asker, filter, from, to, asOf, marker, limit);
        }
    }

    /** Conditions on bookings; null for any. */
    record Filter(
            @Nullable ResourceId resource,
            @Nullable ProjectId project,
            @Nullable LeaseId lease,
            @Nullable ResourceKind kind) {}

    /** A line of the calendar. */
    sealed interface Line {

        ResourceId resource();

        /** Returns the start, inclusive. */
        Instant starts();

        /** Returns the end, exclusive; without cleaning time. */
        Instant ends();
    }

    /**
     * A booking of a resource by a reservation, past or present.
     *
     * @param kind the resource's
     * @param slots the booked slots of the resource; one for the whole of it
     */
    record Booking(
            ResourceId resource,
            Instant starts,
            Instant ends,
            ResourceKind kind,
            ProjectId project,
            LeaseId lease,
            ReservationId reservation,
            int slots)
            implements Line {}

    /**
     * A period, within the window, in which other projects have something of a resource. It hides
     * their number, and whether they follow each other or overlap.
     */
    record Taken(ResourceId resource, Instant starts, Instant ends) implements Line {}
}
