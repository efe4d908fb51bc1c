package org.leasehold.invariants;

import java.time.Duration;

/**
 * For how long resources were had.
 *
 * @param active promised, and given
 * @param lost promised, and not given
 * @param overrun not promised any more, but still in somebody's hands
 */
public record Had(Duration active, Duration lost, Duration overrun) {

    public static final Had NOTHING = new Had(Duration.ZERO, Duration.ZERO, Duration.ZERO);

    public Had plus(Had other) {
        return new Had(
                active.plus(other.active), lost.plus(other.lost), overrun.plus(other.overrun));
    }
}
