package org.leasehold.gateway.api;

import com.fasterxml.jackson.annotation.JsonInclude;

import org.jspecify.annotations.Nullable;
import org.leasehold.query.Calendar;
import org.leasehold.query.Calendar.Booking;
import org.leasehold.query.Calendar.Taken;
import org.leasehold.query.CalendarFeeds.CalendarFeed;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** What is told of the calendar. */
final class CalendarAnswers {

    private CalendarAnswers() {}

    /** What is promised, by resource and start. */
    record CalendarPage(List<CalendarLine> bookings, @Nullable String next) {}

    /**
     * What a reservation has of a resource, or when others have something of it.
     *
     * @param starts inclusive
     * @param ends exclusive; without the cleaning after it
     * @param taken true where it is others', of whom nothing else is told
     * @param kind the resource's
     * @param slots of the resource; one for the whole of it
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record CalendarLine(
            long resource,
            Instant starts,
            Instant ends,
            @Nullable Boolean taken,
            @Nullable String kind,
            @Nullable String project,
            @Nullable UUID lease,
            @Nullable UUID reservation,
            @Nullable Integer slots) {

        static CalendarLine of(Calendar.Line line) {
            return switch (line) {
                case Taken(var resource, var starts, var ends) ->
                        new CalendarLine(
                                resource.value(), starts, ends, true, null, null, null, null, null);
                case Booking booking ->
                        new CalendarLine(
                                booking.resource().value(),
                                booking.starts(),
                                booking.ends(),
                                null,
                                booking.kind().value(),
                                booking.project().value(),
                                booking.lease().value(),
                                booking.reservation().value(),
                                booking.slots());
            };
        }
    }

    /** The feeds of a project, oldest first. */
    record FeedList(List<FeedLine> feeds) {}

    /**
     * A feed.
     *
     * @param user the id of who made it
     */
    record FeedLine(UUID id, @Nullable String name, String user, Instant createdAt) {

        static FeedLine of(CalendarFeed feed) {
            return new FeedLine(feed.id(), feed.name(), feed.user().value(), feed.createdAt());
        }
    }

    /**
     * A feed that has just been made.
     *
     * @param url has the secret in it
     */
    record NewFeedLine(UUID id, @Nullable String name, Instant createdAt, String url) {

        static NewFeedLine of(CalendarFeed feed, String url) {
            return new NewFeedLine(feed.id(), feed.name(), feed.createdAt(), url);
        }

        /** Does not tell the address to a log. */
        @Override
        public String toString() {
            return "feed " + id;
        }
    }
}
