package org.leasehold.invariants;

import java.time.Duration;

/**
 * The times for which a lease had resources.
 *
 * @param active the time promised and given
 * @param lost the time promised and not given
 * @param overrun the time no longer promised, but still held
 */
public record Had(Duration active, Duration lost, Duration overrun) {

    public static final Had NOTHING = new Had(Duration.ZERO, Duration.ZERO, Duration.ZERO);

    public Had plus(Had other) {
        return new Had(
                active.plus(other.active), lost.plus(other.lost), overrun.plus(other.overrun));
    }
}
