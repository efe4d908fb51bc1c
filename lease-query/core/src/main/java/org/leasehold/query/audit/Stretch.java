package org.leasehold.query.audit;

/**
 * The range of the event log that is searched: after one position, and before another.
 *
 * @param after may be -1
 */
record Stretch(long after, long before) {

    Stretch after(long position) {
        return new Stretch(Math.max(after, position), before);
    }

    Stretch before(long position) {
        return new Stretch(after, Math.min(before, position));
    }
}
