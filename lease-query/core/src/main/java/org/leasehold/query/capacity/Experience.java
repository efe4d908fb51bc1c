package org.leasehold.query.capacity;

import org.leasehold.query.Forecasts.Trial;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * What the weeks that are over say of those to come. An hour is expected to be like the same hour
 * of the week in the weeks before, of which each counts less than the one after it (simple
 * exponential smoothing of each season, see Hyndman and Athanasopoulos, Forecasting: Principles and
 * Practice, 8.1). How far it may be off is how far it was off: the interval lies between quantiles
 * of the errors that it has made at the same time of day.
 */
final class Experience {

    static final int HOURS = 7 * 24;

    /** So many weeks an amount is expected from. */
    static final int LOOKED_AT = 8;

    /** So many weeks the errors are of. */
    static final int ERRORS_OF = 8;

    /** So many weeks are forecast once more. */
    static final int TRIED = 8;

    private static final double EACH_COUNTS = 0.7;
    private static final double TENTH = 0.1;
    private static final int TIMES_OF_DAY = 24;

    private final List<double[]> weeks;

    /**
     * Weeks.
     *
     * @param weeks the amounts of each hour, in order; each of {@link #HOURS}
     */
    Experience(List<double[]> weeks) {
        this.weeks = List.copyOf(weeks);
    }

    /** How many there have to be, for a trial of the forecast of the week after so many. */
    static int needed(int ahead) {
        return LOOKED_AT + ERRORS_OF + TRIED + 2 * (ahead - 1);
    }

    /** An hour, from what is less in one of ten cases to what is more in one of ten. */
    record Range(double low, double expected, double high) {}

    /**
     * The hours of a week, from all that there are.
     *
     * @param ahead 1 for the week after the last
     */
    Range[] forecast(int ahead) {
        return forecast(weeks.size(), ahead);
    }

    private Range[] forecast(int known, int ahead) {
        double[] expected = expected(known);
        double[][] errors = errors(known, ahead);
        Range[] ranges = new Range[HOURS];
        for (int hour = 0; hour < HOURS; hour++) {
            double[] its = errors[hour % TIMES_OF_DAY];
            // Less than nothing cannot be reserved.
            ranges[hour] =
                    new Range(
                            Math.max(0, expected[hour] + quantile(its, TENTH)),
                            expected[hour],
                            Math.max(0, expected[hour] + quantile(its, 1 - TENTH)));
        }
        return ranges;
    }

    private double[] expected(int known) {
        double[] sums = new double[HOURS];
        double weight = 1;
        double weights = 0;
        for (int week = known - 1; week >= Math.max(0, known - LOOKED_AT); week--) {
            double[] amounts = weeks.get(week);
            for (int hour = 0; hour < HOURS; hour++) {
                sums[hour] += weight * amounts[hour];
            }
            weights += weight;
            weight *= EACH_COUNTS;
        }
        for (int hour = 0; hour < HOURS; hour++) {
            sums[hour] /= weights;
        }
        return sums;
    }

    /** By the time of day, sorted: of the last weeks known, each seen from as long before. */
    private double[][] errors(int known, int ahead) {
        double[][] errors = new double[TIMES_OF_DAY][ERRORS_OF * HOURS / TIMES_OF_DAY];
        int[] next = new int[TIMES_OF_DAY];
        for (int week = known - ERRORS_OF; week < known; week++) {
            double[] expected = expected(week - ahead + 1);
            for (int hour = 0; hour < HOURS; hour++) {
                int time = hour % TIMES_OF_DAY;
                errors[time][next[time]++] = weeks.get(week)[hour] - expected[hour];
            }
        }
        for (double[] each : errors) {
            Arrays.sort(each);
        }
        return errors;
    }

    /** Between the two that it lies between, as much of the way as it does (Hyndman and Fan, 7). */
    private static double quantile(double[] sorted, double share) {
        double place = share * (sorted.length - 1);
        int below = (int) Math.floor(place);
        int above = Math.min(below + 1, sorted.length - 1);
        return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
    }

    /**
     * Forecasts the last weeks from those before them, each as long before as all that are asked
     * for.
     *
     * @return empty if there are too few
     */
    Optional<Trial> trial(int mostAhead) {
        if (weeks.size() < needed(mostAhead)) {
            return Optional.empty();
        }
        int covered = 0;
        int hours = 0;
        double error = 0;
        double errorOfLastWeek = 0;
        for (int week = weeks.size() - TRIED; week < weeks.size(); week++) {
            for (int ahead = 1; ahead <= mostAhead; ahead++) {
                int known = week - ahead + 1;
                Range[] ranges = forecast(known, ahead);
                for (int hour = 0; hour < HOURS; hour++) {
                    double amount = weeks.get(week)[hour];
                    Range range = ranges[hour];
                    hours++;
                    covered += range.low() <= amount && amount <= range.high() ? 1 : 0;
                    error += Math.abs(amount - range.expected());
                    errorOfLastWeek += Math.abs(amount - weeks.get(known - 1)[hour]);
                }
            }
        }
        return Optional.of(
                new Trial(
                        TRIED,
                        decimal((double) covered / hours),
                        decimal(error / hours),
                        decimal(errorOfLastWeek / hours)));
    }

    /** A forecast knows no more digits. */
    static BigDecimal decimal(double number) {
        return BigDecimal.valueOf(number).setScale(3, RoundingMode.HALF_UP);
    }
}
