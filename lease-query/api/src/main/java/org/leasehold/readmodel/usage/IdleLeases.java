package org.leasehold.readmodel.usage;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.UnknownMarker;
import org.leasehold.readmodel.calendar.BookingCalendar.Filter;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ProjectId;

import java.math.BigDecimal;
import java.time.Instant;

/**
 * Leases that had whole resources on which nothing ran at any observed time of a window: no-shows.
 * A lease without an observation is not one.
 */
public interface IdleLeases {

    /**
     * Returns a page of idle leases, the longest idle time first.
     *
     * @throws UnknownMarker if no page gave the marker
     */
    Page<IdleLease> page(ListIdleLeases question);

    /**
     * A query for idle leases.
     *
     * @param filter the conditions on bookings
     * @param activeOnly whether only leases count that have the resources at {@code now}
     * @param from earlier time is left out
     * @param to later time is left out; at most {@link Usages#MAX_WINDOW} later
     * @param now time after it has not been used yet
     * @param asOf the position of the last event to include; null for what is known now
     * @param marker the end of the page before; null for the first page
     * @param limit the largest number of lines, 1 to 1000
     */
    record ListIdleLeases(
            Filter filter,
            boolean activeOnly,
            Instant from,
            Instant to,
            Instant now,
            @Nullable Long asOf,
            @Nullable String marker,
            int limit) {

        public ListIdleLeases {
            if (limit < 1 || limit > 1000) {
                throw new IllegalArgumentException("a page has 1 to 1000 lines: " + limit);
            }
            if (!from.isBefore(to) || to.isAfter(from.plus(Usages.MAX_WINDOW))) {
                throw new IllegalArgumentException("no window: from " + from + " to " + to);
            }
        }
    }

    /**
     * An idle lease, with the resources of one kind.
     *
     * @param kind the resources'
     * @param resources the number of these
     * @param since the time from which it had the first of them
     * @param isActive whether it has them at {@code now}
     * @param idle the observed time, in seconds times resources, to the microsecond
     */
    record IdleLease(
            LeaseId lease,
            ProjectId project,
            ResourceKind kind,
            int resources,
            Instant since,
            boolean isActive,
            BigDecimal idle) {}
}
