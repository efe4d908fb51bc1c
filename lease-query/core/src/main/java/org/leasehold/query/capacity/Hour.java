package org.leasehold.query.capacity;

import java.math.BigInteger;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The changes of an hour together.
 *
 * @param change their sum
 * @param time what they come to within the hour, in milliseconds; of what was refused that may be
 *     more than a long can hold
 * @param reservedHigh by how much what is reserved rises at most above where it was when the hour
 *     began; of several pools together it may be less
 * @param headroomLow by how much what is left falls at most, as a number below nothing; of several
 *     pools together it may be nearer to nothing
 */
record Hour(
        Instant starts,
        Amounts change,
        Map<Measure, BigInteger> time,
        long reservedHigh,
        long headroomLow) {

    static final long MILLIS = 3_600_000;

    /** Changes by the hour that they lie in, as long as those are in order. */
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

    /** By how much more there is from an instant on. */
    record Change(Instant at, Amounts amounts) {}
}
