package org.leasehold.query.capacity;

import org.jspecify.annotations.Nullable;
import org.leasehold.query.capacity.CapacityHour.Change;
import org.leasehold.query.capacity.projection.CapacityMeasure;
import org.leasehold.readmodel.capacity.Capacities.AskCapacity;
import org.leasehold.readmodel.capacity.Capacities.Bucket;
import org.leasehold.readmodel.capacity.Capacities.Extreme;
import org.leasehold.readmodel.capacity.Capacities.Series;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * The amounts of some resources over a window. Averages follow from the hours. The largest and the
 * smallest amount lie between their changes. An hour's changes are read as long as they may exceed
 * the extreme found so far.
 */
final class CapacityCurve {

    private static final int MAX_HOURS_PER_QUERY = 16;
    private static final int MILLIONTHS_PER_RESOURCE = 1_000_000;
    private static final int DIGITS = 6;

    private static final ToLongFunction<Beginning> MIN_HEADROOM = Beginning::minHeadroom;
    private static final ToLongFunction<Beginning> NEGATED_MAX_RESERVED =
            Beginning::negatedMaxReserved;

    private final AskCapacity question;
    private final CapacityAmounts initialLevel;
    private final List<Beginning> hours;
    private final Function<Set<Instant>, Map<Instant, List<Change>>> changesLoader;
    private final Map<Instant, List<Change>> changesByHour = new HashMap<>();

    /**
     * Creates a curve.
     *
     * @param before the amounts before the window's first change
     * @param hours the hours of the window with changes, in order
     * @param changesIn returns the changes of some hours at least, in order, by hour
     */
    CapacityCurve(
            AskCapacity question,
            CapacityAmounts before,
            List<CapacityHour> hours,
            Function<Set<Instant>, Map<Instant, List<Change>>> changesIn) {
        this.question = question;
        this.initialLevel = before;
        this.hours = hourLevels(before, hours);
        this.changesLoader = changesIn;
    }

    private static List<Beginning> hourLevels(CapacityAmounts before, List<CapacityHour> hours) {
        List<Beginning> beginnings = new ArrayList<>();
        CapacityAmounts level = before;
        for (CapacityHour hour : hours) {
            beginnings.add(new Beginning(hour, level));
            level = level.plus(hour.change());
        }
        return beginnings;
    }

    /** Returns the hours that are read first, before it is known whether any others have to be. */
    Set<Instant> hoursToReadFirst() {
        Set<Instant> promising = new HashSet<>();
        if (hasHourAtStart()) {
            promising.add(question.from());
        }
        for (ToLongFunction<Beginning> bound : List.of(MIN_HEADROOM, NEGATED_MAX_RESERVED)) {
            hours.stream()
                    .min(orderByBound(bound))
                    .ifPresent(each -> promising.add(each.hour().starts()));
        }
        return promising;
    }

    /** Stores the changes of hours, so that they need not be queried. */
    void addChanges(Set<Instant> hours, Map<Instant, List<Change>> changes) {
        hours.forEach(hour -> changesByHour.put(hour, changes.getOrDefault(hour, List.of())));
    }

    private boolean hasHourAtStart() {
        return !hours.isEmpty() && hours.getFirst().hour().starts().equals(question.from());
    }

    private static Comparator<Beginning> orderByBound(ToLongFunction<Beginning> bound) {
        return Comparator.comparingLong(bound).thenComparing(each -> each.hour().starts());
    }

    Series series(@Nullable String value) {
        Extreme least = findMinimum(CapacityAmounts::headroom, MIN_HEADROOM);
        Extreme fewest = findMinimum(level -> -level.reserved(), NEGATED_MAX_RESERVED);
        return new Series(
                value,
                buckets(),
                new Extreme(fewest.at(), fewest.amount().negate()),
                least,
                shortage(least));
    }

    private List<Bucket> buckets() {
        List<Bucket> buckets = new ArrayList<>();
        CapacityAmounts level = initialLevel;
        int next = 0;
        Instant starts = question.from();
        while (starts.isBefore(question.to())) {
            Instant ends = earlier(starts.plus(question.bucket()), question.to());
            Area area = new Area();
            area.add(level, Duration.between(starts, ends).toMillis());
            while (next < hours.size() && hours.get(next).hour().starts().isBefore(ends)) {
                CapacityHour hour = hours.get(next++).hour();
                hour.time().forEach(area::add);
                area.add(hour.change(), Duration.between(hour.ends(), ends).toMillis());
                level = level.plus(hour.change());
            }
            buckets.add(area.bucket(starts, ends));
            starts = ends;
        }
        return buckets;
    }

    private static Instant earlier(Instant one, Instant other) {
        return one.isBefore(other) ? one : other;
    }

    /**
     * Returns the first instant with the least amount.
     *
     * @param bound a lower bound of the amount in an hour
     */
    private Extreme findMinimum(
            ToLongFunction<CapacityAmounts> amount, ToLongFunction<Beginning> bound) {
        Best best = initialAmount(amount);
        List<Beginning> candidates = new ArrayList<>(hours);
        candidates.sort(orderByBound(bound));
        for (List<Beginning> next : growingBatches(candidates)) {
            Best found = best;
            List<Beginning> improving =
                    next.stream()
                            .filter(each -> found.canBeImprovedBy(bound.applyAsLong(each), each))
                            .toList();
            if (improving.isEmpty()) {
                break;
            }
            for (Level level : levels(improving)) {
                best = best.min(level.at(), amount.applyAsLong(level.amounts()));
            }
        }
        return best.toExtreme();
    }

    /** Returns the amount at the window's beginning, with the changes of that instant. */
    private Best initialAmount(ToLongFunction<CapacityAmounts> amount) {
        CapacityAmounts level = initialLevel;
        if (hasHourAtStart()) {
            for (Level each : levels(List.of(hours.getFirst()))) {
                if (each.at().equals(question.from())) {
                    level = each.amounts();
                }
            }
        }
        return new Best(question.from(), amount.applyAsLong(level));
    }

    private @Nullable Extreme shortage(Extreme least) {
        long wanted = (long) question.wanted() * MILLIONTHS_PER_RESOURCE;
        if (least.amount().compareTo(BigDecimal.valueOf(question.wanted())) >= 0) {
            return null;
        }
        Best first = initialAmount(CapacityAmounts::headroom);
        if (first.amount() < wanted) {
            return first.toExtreme();
        }
        List<Beginning> candidates =
                hours.stream().filter(each -> each.minHeadroom() < wanted).toList();
        for (List<Beginning> batch : growingBatches(candidates)) {
            for (Level level : levels(batch)) {
                if (level.amounts().headroom() < wanted) {
                    return new Best(level.at(), level.amounts().headroom()).toExtreme();
                }
            }
        }
        // The least amount was found in one of them.
        throw new IllegalStateException("no shortage before " + least);
    }

    /** Splits candidates into growing parts; for a single pool the first one has the extreme. */
    private static List<List<Beginning>> growingBatches(List<Beginning> candidates) {
        List<List<Beginning>> parts = new ArrayList<>();
        int size = 1;
        for (int from = 0; from < candidates.size(); from += parts.getLast().size()) {
            parts.add(candidates.subList(from, Math.min(from + size, candidates.size())));
            size = Math.min(2 * size, MAX_HOURS_PER_QUERY);
        }
        return parts;
    }

    /** Returns the amounts after each change in the hours. */
    private List<Level> levels(List<Beginning> hours) {
        Set<Instant> unknown =
                hours.stream().map(each -> each.hour().starts()).collect(Collectors.toSet());
        unknown.removeAll(changesByHour.keySet());
        if (!unknown.isEmpty()) {
            addChanges(unknown, changesLoader.apply(unknown));
        }
        List<Level> levels = new ArrayList<>();
        for (Beginning each : hours) {
            CapacityAmounts level = each.level();
            for (Change change : changesByHour.getOrDefault(each.hour().starts(), List.of())) {
                level = level.plus(change.amounts());
                levels.add(new Level(change.at(), level));
            }
        }
        return levels;
    }

    static BigDecimal toResources(long millionths) {
        return BigDecimal.valueOf(millionths, DIGITS);
    }

    /** An hour, and the amounts at its beginning. */
    private record Beginning(CapacityHour hour, CapacityAmounts level) {

        long minHeadroom() {
            return level.headroom() + hour.headroomLow();
        }

        long negatedMaxReserved() {
            return -(level.reserved() + hour.reservedHigh());
        }
    }

    private record Level(Instant at, CapacityAmounts amounts) {}

    /** The least amount so far. */
    private record Best(Instant at, long amount) {

        boolean canBeImprovedBy(long bound, Beginning beginning) {
            return bound < amount || (bound == amount && beginning.hour().starts().isBefore(at));
        }

        Best min(Instant other, long otherAmount) {
            return otherAmount < amount || (otherAmount == amount && other.isBefore(at))
                    ? new Best(other, otherAmount)
                    : this;
        }

        Extreme toExtreme() {
            return new Extreme(at, toResources(amount));
        }
    }

    /** Amounts times milliseconds: those of many resources in a year exceed a long. */
    private static final class Area {

        private final Map<CapacityMeasure, Sum> sums = new EnumMap<>(CapacityMeasure.class);

        Area() {
            for (CapacityMeasure measure : CapacityMeasure.values()) {
                sums.put(measure, new Sum());
            }
        }

        void add(CapacityAmounts amounts, long millis) {
            sums.forEach((measure, sum) -> sum.add(amounts.of(measure), millis));
        }

        void add(CapacityMeasure measure, BigInteger time) {
            Objects.requireNonNull(sums.get(measure)).add(time);
        }

        Bucket bucket(Instant starts, Instant ends) {
            BigDecimal millis = BigDecimal.valueOf(Duration.between(starts, ends).toMillis());
            Function<CapacityMeasure, BigDecimal> average =
                    measure ->
                            Objects.requireNonNull(sums.get(measure))
                                    .value(measure == CapacityMeasure.REFUSED ? 0 : DIGITS)
                                    .divide(millis, DIGITS, RoundingMode.HALF_UP);
            return new Bucket(
                    starts,
                    ends,
                    average.apply(CapacityMeasure.ENROLLED),
                    average.apply(CapacityMeasure.RESERVABLE),
                    average.apply(CapacityMeasure.RESERVED),
                    average.apply(CapacityMeasure.ACTIVE),
                    average.apply(CapacityMeasure.IDLE),
                    average.apply(CapacityMeasure.REFUSED));
        }
    }

    /** A sum of products, in two's complement of 128 bits. */
    private static final class Sum {

        private long high;
        private long low;

        void add(long one, long other) {
            addParts(Math.multiplyHigh(one, other), one * other);
        }

        void add(BigInteger other) {
            addParts(other.shiftRight(Long.SIZE).longValueExact(), other.longValue());
        }

        private void addParts(long otherHigh, long otherLow) {
            low += otherLow;
            high += otherHigh;
            if (Long.compareUnsigned(low, otherLow) < 0) {
                high++;
            }
        }

        BigDecimal value(int scale) {
            if (high == low >> (Long.SIZE - 1)) {
                return BigDecimal.valueOf(low, scale);
            }
            byte[] bytes = ByteBuffer.allocate(2 * Long.BYTES).putLong(high).putLong(low).array();
            return new BigDecimal(new BigInteger(bytes), scale);
        }
    }
}
