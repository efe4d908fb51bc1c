package org.leasehold.readmodel.usage;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.Requirement;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.UnknownMarker;
import org.leasehold.readmodel.calendar.BookingCalendar;
import org.leasehold.readmodel.calendar.BookingCalendar.Filter;
import org.leasehold.readmodel.operation.ProjectionOffsets;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * The usage of leases: how long they had their booked resources. The usages of two adjacent windows
 * add up to that of both. The usages of all values of a dimension add up to the undivided one.
 */
public interface Usages {

    /** The name of the read model behind it, for {@link ProjectionOffsets}. */
    String READ_MODEL = BookingCalendar.READ_MODEL;

    /** The longest window of a query. */
    Duration MAX_WINDOW = Duration.ofDays(366);

    /** The largest number of dimensions that split usage at once. */
    int MAX_DIMENSIONS = 2;

    /** The split of usage by lease. */
    String BY_LEASE = "lease";

    /** The split of usage by project. */
    String BY_PROJECT = "project";

    /** The split of usage by resource. */
    String BY_RESOURCE = "resource";

    /** The split of usage by availability zone. */
    String BY_ZONE = "zone";

    /**
     * Returns a page of usage, by value and kind.
     *
     * @throws UnknownMarker if no page of the same query gave the marker
     */
    Page<Usage> page(ListUsage question);

    /**
     * A query for usage.
     *
     * @param filter the conditions on bookings
     * @param by splits usage: each is one of the constants here, or the name of a property of
     *     resources; at most {@link #MAX_DIMENSIONS}, and empty for no split
     * @param requirement the required properties of resources at the time of the usage, as
     *     operators set them; the filter must name a kind if there are any
     * @param from earlier time is left out; usage that reaches into the window is cut
     * @param to later time is left out; at most {@link #MAX_WINDOW} later
     * @param now time after it has not been used yet
     * @param asOf the position of the last event to include; null for what is known now
     * @param marker the end of the page before; null for the first page
     * @param limit the largest number of lines, 1 to 1000
     */
    record ListUsage(
            Filter filter,
            List<String> by,
            Requirement requirement,
            Instant from,
            Instant to,
            Instant now,
            @Nullable Long asOf,
            @Nullable String marker,
            int limit) {

        public ListUsage {
            by = List.copyOf(by);
            if (by.size() > MAX_DIMENSIONS) {
                throw new IllegalArgumentException("too many dimensions: " + by);
            }
            if (filter.kind() == null && !requirement.equals(Requirement.none())) {
                throw new IllegalArgumentException("kinds have properties of their own");
            }
            if (limit < 1 || limit > 1000) {
                throw new IllegalArgumentException("a page has 1 to 1000 lines: " + limit);
            }
            if (!from.isBefore(to) || to.isAfter(from.plus(MAX_WINDOW))) {
                throw new IllegalArgumentException("no window: from " + from + " to " + to);
            }
        }
    }

    /**
     * The usage of some resources of a kind, in seconds times slots; the whole of a resource is one
     * slot. It is exact to the microsecond.
     *
     * @param value their common value, as of the time of the usage; null if they lack it, or the
     *     query has no split
     * @param other their common value of the second dimension; null also if there is none
     * @param kind the resources': those of different kinds do not add up
     * @param reserved promised
     * @param active promised, and given
     * @param use the observed use meanwhile
     */
    record Usage(
            @Nullable String value,
            @Nullable String other,
            ResourceKind kind,
            BigDecimal reserved,
            BigDecimal active,
            Use use) {

        /** Returns the promised time that was not given: a slow, late or failed start. */
        public BigDecimal lost() {
            return reserved.subtract(active);
        }
    }

    /**
     * The observed use of whole resources while they were active. An observation holds until the
     * next different one. In seconds, to the microsecond.
     *
     * @param observed the active time since the first observation
     * @param idle the part of it in which nothing ran
     * @param servers seconds times servers, switched on or off
     * @param vcpus seconds times the virtual processors of these servers
     */
    record Use(BigDecimal observed, BigDecimal idle, BigDecimal servers, BigDecimal vcpus) {

        /** No observation. */
        public static final Use UNKNOWN =
                new Use(BigDecimal.ZERO, BigDecimal.ZERO, BigDecimal.ZERO, BigDecimal.ZERO);

        /** Returns the sum of both. */
        public Use plus(Use other) {
            return new Use(
                    observed.add(other.observed),
                    idle.add(other.idle),
                    servers.add(other.servers),
                    vcpus.add(other.vcpus));
        }
    }
}
