package org.leasehold.query;

import org.leasehold.calendar.Demand;
import org.leasehold.lease.LeasePeriod;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** When the calendar could hold something. */
public interface Availability {

    /** The earliest feasible starts, in order; empty when there are none. */
    List<Opening> find(FindAvailability question);

    /**
     * Asks for starts.
     *
     * @param demand what would have to be held
     * @param duration for how long; positive
     * @param earliest the first start to consider
     * @param horizon the last start to consider
     * @param limit how many openings at most, 1 to 100
     */
    record FindAvailability(
            Demand demand, Duration duration, Instant earliest, Instant horizon, int limit) {}

    /**
     * Any start from {@code starts.start} up to, not including, {@code starts.end} is feasible.
     *
     * @param free how many resources are free throughout, at the first of these starts
     */
    record Opening(LeasePeriod starts, int free) {}
}
