package org.leasehold.gateway.api.calendar;

import jakarta.validation.constraints.Size;

import org.jspecify.annotations.Nullable;

/** Requests about the calendar. */
public final class CalendarRequestBodies {

    private CalendarRequestBodies() {}

    /**
     * A request for a feed.
     *
     * @param name the name that calendars show; null for the project's
     */
    record FeedRequest(@Nullable @Size(max = 80) String name) {

        FeedRequest {
            name = name == null || name.isBlank() ? null : name;
        }
    }
}
