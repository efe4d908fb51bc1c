package org.leasehold.query.capacity;

import org.leasehold.query.capacity.projection.CapacityMeasure;

import java.math.BigInteger;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The sum of the changes of an hour.
 *
 * @param change their sum
 * @param time their amounts times their time in the hour, in milliseconds; that of refusals may
 *     exceed a long
 * @param reservedHigh the largest rise of the reserved amount above that at the hour's beginning;
 *     for several pools together an upper bound
 * @param headroomLow the largest fall of the headroom, as a negative number; for several pools
 *     together a lower bound
 */
record CapacityHour(
        Instant starts,
        CapacityAmounts change,
        Map<CapacityMeasure, BigInteger> time,
        long reservedHigh,
        long headroomLow) {

    static final long MILLIS = 3_600_000;

    /** Groups changes by their hour, if they are in order. */
    static Map<Instant, List<Change>> byHour(List<Change> changes) {
        Map<Instant, List<Change>> hours = new LinkedHashMap<>();
        for (Change change : changes) {
            hours.computeIfAbsent(change.at().truncatedTo(ChronoUnit.HOURS), _ -> new ArrayList<>())
                    .add(change);
        }
        return hours;
    }

    Instant ends() {
        return starts.plusMillis(MILLIS);
    }

    /** The difference of the amounts at an instant. */
    record Change(Instant at, CapacityAmounts amounts) {}
}
