package org.leasehold.readmodel.capacity;

import org.leasehold.calendar.Demand;
import org.leasehold.vocabulary.LeasePeriod;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** The query for times at which the calendar can hold a demand. */
public interface Availability {

    /** Returns the earliest feasible starts, in order; empty when there are none. */
    List<Opening> find(FindAvailability question);

    /**
     * A query for starts.
     *
     * @param demand the resources to hold
     * @param duration the length of the lease; positive
     * @param earliest the first start to consider
     * @param horizon the last start to consider
     * @param limit the largest number of openings, 1 to 100
     */
    record FindAvailability(
            Demand demand, Duration duration, Instant earliest, Instant horizon, int limit) {}

    /**
     * A range of starts; each from {@code starts.start} up to, not including, its end is feasible.
     *
     * @param free how many resources are free throughout, at the first of these starts
     */
    record Opening(LeasePeriod starts, int free) {}
}
