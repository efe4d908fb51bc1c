package org.leasehold.query.lease.page;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;

/**
 * The window of a list of leases.
 *
 * @param startBefore its leases start before this instant; null for any
 * @param endAfter its leases end after this instant; null for any
 * @param longest a length that no lease exceeds
 */
record LeaseWindow(@Nullable Instant startBefore, @Nullable Instant endAfter, Duration longest) {

    /**
     * The condition of the index {@code lease_far}: leases that end long after their creation, and
     * imported ones that had started long before it.
     */
    static final String IS_FAR =
            "(ends - created_at > interval '14 days' OR created_at - starts > interval '1 day')";

    private static final Duration MAX_FROM_CREATION_TO_END = Duration.ofDays(14);
    private static final Duration MAX_FROM_START_TO_CREATION = Duration.ofDays(1);

    boolean isGiven() {
        return startBefore != null || endAfter != null;
    }

    /**
     * Adds the window. The other end of a lease follows from the length of the longest one. Without
     * it, an index leads to all leases before the window, or to all after it.
     */
    void addTo(Conditions conditions) {
        if (startBefore != null) {
            conditions.add(
                    "starts < ? AND ends <= ?",
                    column(startBefore),
                    column(startBefore.plus(longest)));
        }
        if (endAfter != null) {
            conditions.add(
                    "ends > ? AND starts >= ?", column(endAfter), column(endAfter.minus(longest)));
        }
    }

    /** Adds the times of creation that the leases of the window have, except the far ones. */
    void addCreationTo(Conditions conditions) {
        if (startBefore != null) {
            conditions.add("created_at < ?", column(startBefore.plus(MAX_FROM_START_TO_CREATION)));
        }
        if (endAfter != null) {
            conditions.add("created_at > ?", column(endAfter.minus(MAX_FROM_CREATION_TO_END)));
        }
    }

    private static Object column(Instant instant) {
        return instant.atOffset(ZoneOffset.UTC);
    }
}
