package org.leasehold.query;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.query.Calendar.Filter;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;

/**
 * How long leases had what they were promised. It adds up: what is told of two windows comes to
 * what is told of both together, and all values by which usage is told apart to what is told of
 * none.
 */
public interface Usages {

    /** The read model that it stands on, for {@link Projections}. */
    String STANDS_ON = Calendar.STANDS_ON;

    /** How much can be asked for at once. */
    Duration LONGEST = Duration.ofDays(366);

    /** Tells leases apart. */
    String BY_LEASE = "lease";

    /** Tells projects apart. */
    String BY_PROJECT = "project";

    /** Tells resources apart. */
    String BY_RESOURCE = "resource";

    /** Tells availability zones apart. */
    String BY_ZONE = "zone";

    /**
     * A page of usage, by value and kind.
     *
     * @throws UnknownMarker if the marker is none that a page of the same question gave
     */
    Page<Usage> page(ListUsage question);

    /**
     * What to tell.
     *
     * @param filter what it is to be of
     * @param by tells usage apart: one of the constants here, or the name of a property of
     *     resources; null for not at all
     * @param from what was before is left out, and what reaches into the window cut
     * @param to what is later is left out; at most {@link #LONGEST} later
     * @param now what comes later than that has not been used yet
     * @param asOf the position of the event up to which all was known; null for what is known now
     * @param marker where the page before ended; null for the first page
     * @param limit how many lines at most, 1 to 1000
     */
    record ListUsage(
            Filter filter,
            @Nullable String by,
            Instant from,
            Instant to,
            Instant now,
            @Nullable Long asOf,
            @Nullable String marker,
            int limit) {

        public ListUsage {
            if (limit < 1 || limit > 1000) {
                throw new IllegalArgumentException("a page has 1 to 1000 lines: " + limit);
            }
            if (!from.isBefore(to) || to.isAfter(from.plus(LONGEST))) {
                throw new IllegalArgumentException("no window: from " + from + " to " + to);
            }
        }
    }

    /**
     * How long some resources of a kind were had, in seconds times slots; the whole of a resource
     * is one slot. Exact to the microsecond.
     *
     * @param value what they have in common, of what they are told apart by: a resource counts as
     *     what it was at the time. Null where they lack it, or nothing was asked for
     * @param kind the resources': those of different kinds do not add up
     * @param reserved promised
     * @param active promised, and given
     * @param use what ran on it meanwhile
     */
    record Usage(
            @Nullable String value,
            ResourceKind kind,
            BigDecimal reserved,
            BigDecimal active,
            Use use) {

        /** Promised and not given: the start took its time, was late, or failed. */
        public BigDecimal lost() {
            return reserved.subtract(active);
        }
    }

    /**
     * What was seen to run on whole resources while they were active, as far as anybody looked: a
     * look holds until the next one sees something else. In seconds, to the microsecond.
     *
     * @param observed of what was active, since somebody has looked
     * @param idle of that, while nothing ran
     * @param servers seconds times servers, be they switched on or off
     * @param vcpus seconds times the virtual processors of these servers
     */
    record Use(BigDecimal observed, BigDecimal idle, BigDecimal servers, BigDecimal vcpus) {

        /** Nobody has looked. */
        public static final Use UNKNOWN =
                new Use(BigDecimal.ZERO, BigDecimal.ZERO, BigDecimal.ZERO, BigDecimal.ZERO);

        /** Of both together. */
        public Use plus(Use other) {
            return new Use(
                    observed.add(other.observed),
                    idle.add(other.idle),
                    servers.add(other.servers),
                    vcpus.add(other.vcpus));
        }
    }
}
