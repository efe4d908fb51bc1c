package org.leasehold.query.capacity;

import org.jspecify.annotations.Nullable;
import org.leasehold.query.Capacities.AskCapacity;
import org.leasehold.query.Capacities.Bucket;
import org.leasehold.query.Capacities.Extreme;
import org.leasehold.query.Capacities.Series;
import org.leasehold.query.capacity.Hour.Change;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * How the amounts of some resources go up and down in a window. Averages follow from the hours.
 * What is most and what is least lies between their changes: an hour is looked into as long as it
 * may have more, or less, than what was found.
 */
final class Curve {

    private static final int HOURS_AT_ONCE = 16;
    private static final int MILLIONTHS = 1_000_000;
    private static final int DIGITS = 6;

    private final AskCapacity question;
    private final Amounts before;
    private final List<Beginning> hours;
    private final Function<List<Instant>, Map<Instant, List<Change>>> changesIn;

    /**
     * A curve.
     *
     * @param before how much there was before the window's first change
     * @param hours of the window in which something changes, in order
     * @param changesIn the changes of some hours at least, in order, by hour
     */
    Curve(
            AskCapacity question,
            Amounts before,
            List<Hour> hours,
            Function<List<Instant>, Map<Instant, List<Change>>> changesIn) {
        this.question = question;
        this.before = before;
        this.hours = beginnings(before, hours);
        this.changesIn = changesIn;
    }

    private static List<Beginning> beginnings(Amounts before, List<Hour> hours) {
        List<Beginning> beginnings = new ArrayList<>();
        Amounts level = before;
        for (Hour hour : hours) {
            beginnings.add(new Beginning(hour, level));
            level = level.plus(hour.change());
        }
        return beginnings;
    }

    Series series(@Nullable String value) {
        Extreme least = least(Amounts::headroom, Beginning::leastHeadroom);
        Extreme fewest = least(level -> -level.reserved(), Beginning::fewestOthers);
        return new Series(
                value,
                buckets(),
                new Extreme(fewest.at(), fewest.amount().negate()),
                least,
                shortage(least));
    }

    private List<Bucket> buckets() {
        List<Bucket> buckets = new ArrayList<>();
        Amounts level = before;
        int next = 0;
        Instant starts = question.from();
        while (starts.isBefore(question.to())) {
            Instant ends = earlier(starts.plus(question.bucket()), question.to());
            Area area = new Area();
            area.add(level, Duration.between(starts, ends).toMillis());
            while (next < hours.size() && hours.get(next).hour().starts().isBefore(ends)) {
                Hour hour = hours.get(next++).hour();
                hour.time().forEach(area::add);
                area.add(hour.change(), Duration.between(hour.ends(), ends).toMillis());
                level = level.plus(hour.change());
            }
            buckets.add(area.bucket(starts, ends, question.isOfSome()));
            starts = ends;
        }
        return buckets;
    }

    private static Instant earlier(Instant one, Instant other) {
        return one.isBefore(other) ? one : other;
    }

    /**
     * When for the first time something is least.
     *
     * @param bound no less than which it gets in an hour
     */
    private Extreme least(ToLongFunction<Amounts> amount, ToLongFunction<Beginning> bound) {
        Best best = atFirst(amount);
        List<Beginning> candidates = new ArrayList<>(hours);
        candidates.sort(
                Comparator.comparingLong(bound).thenComparing(each -> each.hour().starts()));
        for (int from = 0; from < candidates.size(); from += HOURS_AT_ONCE) {
            Best found = best;
            List<Beginning> some =
                    candidates
                            .subList(from, Math.min(from + HOURS_AT_ONCE, candidates.size()))
                            .stream()
                            .filter(each -> found.mayBeWorse(bound.applyAsLong(each), each))
                            .toList();
            if (some.isEmpty()) {
                break;
            }
            for (Level level : levels(some)) {
                best = best.or(level.at(), amount.applyAsLong(level.amounts()));
            }
        }
        return best.extreme();
    }

    /** At the window's beginning; what changes right then has changed. */
    private Best atFirst(ToLongFunction<Amounts> amount) {
        Amounts level = before;
        if (!hours.isEmpty() && hours.getFirst().hour().starts().equals(question.from())) {
            for (Level each : levels(List.of(hours.getFirst()))) {
                if (each.at().equals(question.from())) {
                    level = each.amounts();
                }
            }
        }
        return new Best(question.from(), amount.applyAsLong(level));
    }

    private @Nullable Extreme shortage(Extreme least) {
        long wanted = (long) question.wanted() * MILLIONTHS;
        if (least.amount().compareTo(BigDecimal.valueOf(question.wanted())) >= 0) {
            return null;
        }
        Best first = atFirst(Amounts::headroom);
        if (first.amount() < wanted) {
            return first.extreme();
        }
        List<Beginning> candidates =
                hours.stream().filter(each -> each.leastHeadroom() < wanted).toList();
        for (int from = 0; from < candidates.size(); from += HOURS_AT_ONCE) {
            List<Beginning> some =
                    candidates.subList(from, Math.min(from + HOURS_AT_ONCE, candidates.size()));
            for (Level level : levels(some)) {
                if (level.amounts().headroom() < wanted) {
                    return new Best(level.at(), level.amounts().headroom()).extreme();
                }
            }
        }
        // The least was found in one of them.
        throw new IllegalStateException("no shortage before " + least);
    }

    /** How much there is from each change of some hours on. */
    private List<Level> levels(List<Beginning> some) {
        Map<Instant, List<Change>> changes =
                changesIn.apply(some.stream().map(each -> each.hour().starts()).toList());
        List<Level> levels = new ArrayList<>();
        for (Beginning each : some) {
            Amounts level = each.level();
            for (Change change : changes.getOrDefault(each.hour().starts(), List.of())) {
                level = level.plus(change.amounts());
                levels.add(new Level(change.at(), level));
            }
        }
        return levels;
    }

    static BigDecimal resources(long millionths) {
        return BigDecimal.valueOf(millionths, DIGITS);
    }

    /** An hour, and how much there was when it began. */
    private record Beginning(Hour hour, Amounts level) {

        long leastHeadroom() {
            return level.headroom() + hour.headroomLow();
        }

        long fewestOthers() {
            return -(level.reserved() + hour.reservedHigh());
        }
    }

    private record Level(Instant at, Amounts amounts) {}

    /** The least so far. */
    private record Best(Instant at, long amount) {

        boolean mayBeWorse(long bound, Beginning beginning) {
            return bound < amount || (bound == amount && beginning.hour().starts().isBefore(at));
        }

        Best or(Instant other, long its) {
            return its < amount || (its == amount && other.isBefore(at))
                    ? new Best(other, its)
                    : this;
        }

        Extreme extreme() {
            return new Extreme(at, resources(amount));
        }
    }

    /** Amounts times milliseconds: of many resources in a year more than a long can hold. */
    private static final class Area {

        private final Map<Measure, BigInteger> sums = new EnumMap<>(Measure.class);

        void add(Amounts amounts, long millis) {
            for (Measure measure : Measure.values()) {
                add(
                        measure,
                        BigInteger.valueOf(amounts.of(measure))
                                .multiply(BigInteger.valueOf(millis)));
            }
        }

        void add(Measure measure, BigInteger time) {
            sums.merge(measure, time, BigInteger::add);
        }

        Bucket bucket(Instant starts, Instant ends, boolean isOfSome) {
            BigDecimal millis = BigDecimal.valueOf(Duration.between(starts, ends).toMillis());
            Function<Measure, BigDecimal> average =
                    measure ->
                            new BigDecimal(
                                            sums.getOrDefault(measure, BigInteger.ZERO),
                                            measure == Measure.REFUSED ? 0 : DIGITS)
                                    .divide(millis, DIGITS, RoundingMode.HALF_UP);
            return new Bucket(
                    starts,
                    ends,
                    average.apply(Measure.ENROLLED),
                    average.apply(Measure.RESERVABLE),
                    average.apply(Measure.RESERVED),
                    average.apply(Measure.ACTIVE),
                    isOfSome ? null : average.apply(Measure.REFUSED));
        }
    }
}
