package org.leasehold.query.audit;

/**
 * The range of the event log that is searched: after one position, and before another.
 *
 * @param after may be -1
 */
record PositionRange(long after, long before) {

    PositionRange after(long position) {
        return new PositionRange(Math.max(after, position), before);
    }

    PositionRange before(long position) {
        return new PositionRange(after, Math.min(before, position));
    }
}
