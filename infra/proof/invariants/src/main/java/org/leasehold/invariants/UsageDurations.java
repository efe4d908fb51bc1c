package org.leasehold.invariants;

import java.time.Duration;

/**
 * The times for which a lease had resources.
 *
 * @param active the time promised and given
 * @param lost the time promised and not given
 * @param overrun the time no longer promised, but still held
 */
public record UsageDurations(Duration active, Duration lost, Duration overrun) {

    public static final UsageDurations ZERO =
            new UsageDurations(Duration.ZERO, Duration.ZERO, Duration.ZERO);

    public UsageDurations plus(UsageDurations other) {
        return new UsageDurations(
                active.plus(other.active), lost.plus(other.lost), overrun.plus(other.overrun));
    }
}
