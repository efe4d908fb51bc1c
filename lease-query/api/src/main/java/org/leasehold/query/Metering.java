package org.leasehold.query;

import org.jspecify.annotations.Nullable;
import org.leasehold.lease.LeaseId;

import java.time.Instant;
import java.util.Collection;
import java.util.List;

/**
 * What leases have had, in records that are added up. The meter of a lease is read at each of its
 * events, and for all leases at instants that are noted. A record is the difference between two
 * readings, so that all of a lease come to its account; whoever asks again is told the same.
 */
public interface Metering {

    /** The records of what events of some leases told, after one position and up to another one. */
    List<UsageRecord> ofEvents(Collection<LeaseId> leases, long after, long through);

    /**
     * Has all meters read at an instant, with what is known by now, unless they have been read then
     * or later.
     *
     * @param at whole seconds
     */
    void note(Instant at);

    /**
     * What was noted after an instant, in order, as far as {@link Calendar#STANDS_ON} includes all
     * that was known then.
     *
     * @param limit how many at most
     */
    List<Reading> readings(Instant after, int limit);

    /** The leases that may have had something between a reading and the one before it. */
    List<LeaseId> running(Reading reading);

    /** The records of what a reading of some leases' meters told. */
    List<UsageRecord> ofReading(Reading reading, Collection<LeaseId> leases);

    /**
     * All meters are read.
     *
     * @param position of the last event that was known
     * @param before when they were read before; null for never
     */
    record Reading(Instant at, long position, @Nullable Instant before) {}
}
