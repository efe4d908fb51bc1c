package org.leasehold.command.whatif;

import org.leasehold.inventory.ResourceKind;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.whatif.Comparison;
import org.leasehold.whatif.Comparison.Week;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/** Exact sums of resources times durations, for each week of a window. */
final class Hours {

    private static final Duration WEEK = Duration.ofDays(7);

    /** Millionths of a resource times microseconds, in an hour of a whole resource. */
    private static final BigDecimal HOUR =
            BigDecimal.valueOf(1_000_000L).multiply(BigDecimal.valueOf(3_600_000_000L));

    private static final int DIGITS = 3;

    enum Measure {
        ENROLLED,
        RESERVABLE,
        RESERVED,
        LOST,
        REFUSED,
        FORBIDDEN
    }

    private final List<LeasePeriod> weeks = new ArrayList<>();
    private final SortedMap<String, List<Map<Measure, BigInteger>>> sums = new TreeMap<>();

    Hours(LeasePeriod window) {
        for (Instant start = window.start(); start.isBefore(window.end()); ) {
            Instant end = start.plus(WEEK);
            weeks.add(new LeasePeriod(start, end.isBefore(window.end()) ? end : window.end()));
            start = end;
        }
    }

    /** Adds the part of a period that is in the window. */
    void add(Measure measure, ResourceKind kind, long millionths, LeasePeriod during) {
        List<Map<Measure, BigInteger>> weekSums =
                sums.computeIfAbsent(
                        kind.value(),
                        _ ->
                                weeks.stream()
                                        .<Map<Measure, BigInteger>>map(
                                                _ -> new EnumMap<>(Measure.class))
                                        .toList());
        Instant first = weeks.getFirst().start();
        int week =
                during.start().isAfter(first)
                        ? (int)
                                Math.min(
                                        weeks.size(),
                                        Duration.between(first, during.start()).dividedBy(WEEK))
                        : 0;
        for (; week < weeks.size() && weeks.get(week).start().isBefore(during.end()); week++) {
            long micros = common(weeks.get(week), during);
            if (micros > 0) {
                weekSums.get(week)
                        .merge(
                                measure,
                                BigInteger.valueOf(millionths).multiply(BigInteger.valueOf(micros)),
                                BigInteger::add);
            }
        }
    }

    private static long common(LeasePeriod one, LeasePeriod other) {
        Instant start = one.start().isAfter(other.start()) ? one.start() : other.start();
        Instant end = one.end().isBefore(other.end()) ? one.end() : other.end();
        return start.isBefore(end) ? ChronoUnit.MICROS.between(start, end) : 0;
    }

    SortedMap<ResourceKind, Comparison.Hours> totals() {
        return byKind(
                weekSums -> {
                    Map<Measure, BigInteger> whole = new EnumMap<>(Measure.class);
                    weekSums.forEach(
                            week -> week.forEach((m, sum) -> whole.merge(m, sum, BigInteger::add)));
                    return whole;
                });
    }

    List<Week> weeks() {
        List<Week> result = new ArrayList<>();
        for (int week = 0; week < weeks.size(); week++) {
            int which = week;
            LeasePeriod period = weeks.get(week);
            result.add(
                    new Week(
                            period.start(), period.end(), byKind(weekSums -> weekSums.get(which))));
        }
        return result;
    }

    private SortedMap<ResourceKind, Comparison.Hours> byKind(
            Function<List<Map<Measure, BigInteger>>, Map<Measure, BigInteger>> choose) {
        SortedMap<ResourceKind, Comparison.Hours> result =
                new TreeMap<>(Comparator.comparing(ResourceKind::value));
        sums.forEach(
                (kind, weekSums) -> {
                    Map<Measure, BigInteger> chosen = choose.apply(weekSums);
                    Function<Measure, BigDecimal> hours =
                            measure ->
                                    new BigDecimal(chosen.getOrDefault(measure, BigInteger.ZERO))
                                            .divide(HOUR, DIGITS, RoundingMode.HALF_EVEN);
                    result.put(
                            new ResourceKind(kind),
                            new Comparison.Hours(
                                    hours.apply(Measure.ENROLLED),
                                    hours.apply(Measure.RESERVABLE),
                                    hours.apply(Measure.RESERVED),
                                    hours.apply(Measure.LOST),
                                    hours.apply(Measure.REFUSED),
                                    hours.apply(Measure.FORBIDDEN)));
                });
        return result;
    }
}
