package org.leasehold.gateway.api.calendar;

import com.fasterxml.jackson.annotation.JsonInclude;

import org.jspecify.annotations.Nullable;
import org.leasehold.gateway.api.http.FormerName;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.readmodel.calendar.BookingCalendar.Booking;
import org.leasehold.readmodel.calendar.BookingCalendar.Taken;
import org.leasehold.readmodel.calendar.CalendarFeeds.CalendarFeed;
import org.leasehold.readmodel.label.Labels.LeaseLabel;
import org.leasehold.readmodel.label.Labels.ResourceLabel;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** Responses about the calendar. */
public final class CalendarResponses {

    private CalendarResponses() {}

    /** Allocations in the calendar, by resource and start. */
    record CalendarPage(List<CalendarLine> bookings, @Nullable String next) {}

    /**
     * An allocation of a reservation, or a window in which others use the resource.
     *
     * @param start inclusive
     * @param end exclusive; without the cleaning after it
     * @param taken true if it is of others; the line has no other details then
     * @param kind of the resource
     * @param slots of the resource; one for the whole of it
     * @param leaseName as it was known at {@code as_of}
     * @param resourceName the current one
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record CalendarLine(
            @FormerName("resource") long resourceId,
            @FormerName("starts") Instant start,
            @FormerName("ends") Instant end,
            @Nullable Boolean taken,
            @Nullable String kind,
            @FormerName("project") @Nullable String projectId,
            @FormerName("lease") @Nullable UUID leaseId,
            @FormerName("reservation") @Nullable UUID reservationId,
            @Nullable Integer slots,
            @Nullable String leaseName,
            @Nullable String reservationKind,
            @Nullable String resourceName,
            @Nullable String resourceZone) {

        static CalendarLine of(Taken taken) {
            return new CalendarLine(
                    taken.resource().value(),
                    taken.starts(),
                    taken.ends(),
                    true,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null);
        }

        static CalendarLine of(
                Booking booking, @Nullable LeaseLabel lease, @Nullable ResourceLabel resource) {
            ResourceKind kind = lease == null ? null : lease.kinds().get(booking.reservation());
            return new CalendarLine(
                    booking.resource().value(),
                    booking.starts(),
                    booking.ends(),
                    null,
                    booking.kind().value(),
                    booking.project().value(),
                    booking.lease().value(),
                    booking.reservation().value(),
                    booking.slots(),
                    lease == null ? null : lease.name(),
                    kind == null ? null : kind.value(),
                    resource == null ? null : resource.name(),
                    resource == null ? null : resource.zone());
        }
    }

    /** The feeds of a project, oldest first. */
    record FeedList(List<FeedLine> feeds, @Nullable String next) {}

    /**
     * A feed.
     *
     * @param userId the id of its creator
     */
    record FeedLine(
            UUID id, @Nullable String name, @FormerName("user") String userId, Instant createdAt) {

        static FeedLine of(CalendarFeed feed) {
            return new FeedLine(feed.id(), feed.name(), feed.user().value(), feed.createdAt());
        }
    }

    /**
     * A new feed.
     *
     * @param url contains the secret
     */
    record CreatedFeed(UUID id, @Nullable String name, Instant createdAt, String url) {

        static CreatedFeed of(CalendarFeed feed, String url) {
            return new CreatedFeed(feed.id(), feed.name(), feed.createdAt(), url);
        }

        /** Keeps the address out of logs. */
        @Override
        public String toString() {
            return "feed " + id;
        }
    }
}
