package org.leasehold.gateway.api;

import jakarta.validation.constraints.Size;

import org.jspecify.annotations.Nullable;

/** What can be asked of the calendar. */
final class CalendarForms {

    private CalendarForms() {}

    /**
     * Asks for a feed.
     *
     * @param name what calendars show it as; null for the project's
     */
    record NewFeed(@Nullable @Size(max = 80) String name) {

        NewFeed {
            name = name == null || name.isBlank() ? null : name;
        }
    }
}
