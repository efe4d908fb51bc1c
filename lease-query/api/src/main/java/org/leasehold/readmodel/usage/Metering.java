package org.leasehold.readmodel.usage;

import org.jspecify.annotations.Nullable;
import org.leasehold.readmodel.calendar.BookingCalendar;
import org.leasehold.vocabulary.LeaseId;

import java.time.Instant;
import java.util.Collection;
import java.util.List;

/**
 * Usage of leases in records that add up. The meter of a lease is read at each of its events, and
 * for all leases at stored instants. A record is the difference between two readings, so all
 * records add up to the lease's usage. A repeated query returns the same.
 */
public interface Metering {

    /** Returns the records of events of some leases, after one position and up to another one. */
    List<UsageRecord> usageOfEvents(Collection<LeaseId> leases, long after, long through);

    /**
     * Stores a reading of all meters at an instant, with what is known by now, unless there is one
     * then or later.
     *
     * @param at whole seconds
     */
    void recordReading(Instant at);

    /**
     * Returns the readings after an instant, in order, as far as {@link BookingCalendar#READ_MODEL}
     * includes all that was known then.
     *
     * @param limit the largest number of readings
     */
    List<Reading> readings(Instant after, int limit);

    /** Returns the leases that may have had resources between a reading and the one before it. */
    List<LeaseId> runningLeases(Reading reading);

    /** Returns the records of a reading of some leases' meters. */
    List<UsageRecord> usageOfReading(Reading reading, Collection<LeaseId> leases);

    /**
     * A reading of all meters.
     *
     * @param position of the last event that was known
     * @param before the time of the reading before; null if there is none
     */
    record Reading(Instant at, long position, @Nullable Instant before) {}
}
