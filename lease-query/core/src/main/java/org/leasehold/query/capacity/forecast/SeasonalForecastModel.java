package org.leasehold.query.capacity.forecast;

import org.leasehold.readmodel.capacity.Forecasts.Trial;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The model of past weeks that forecasts later ones. An hour is expected to be like the same hour
 * of the week in earlier weeks, with smaller weights for older weeks. This is simple exponential
 * smoothing of each season (see Hyndman and Athanasopoulos, Forecasting: Principles and Practice,
 * 8.1). The interval lies between quantiles of the past errors at the same time of day.
 */
final class SeasonalForecastModel {

    static final int HOURS_PER_WEEK = 7 * 24;

    /** The number of weeks behind an expected amount. */
    static final int AVERAGED_WEEKS = 8;

    /** The number of weeks behind the errors. */
    static final int ERROR_WEEKS = 8;

    /** The number of weeks in the trial. */
    static final int TRIAL_WEEKS = 8;

    private static final double WEEKLY_DECAY = 0.7;
    private static final double TENTH = 0.1;
    private static final int HOURS_PER_DAY = 24;

    private final List<double[]> weeks;

    /**
     * Creates the model.
     *
     * @param weeks the amounts of each hour, in order; each of {@link #HOURS_PER_WEEK}
     */
    SeasonalForecastModel(List<double[]> weeks) {
        this.weeks = List.copyOf(weeks);
    }

    /** Returns the number of weeks that a trial needs, for a forecast so many weeks ahead. */
    static int requiredWeeks(int ahead) {
        return AVERAGED_WEEKS + ERROR_WEEKS + TRIAL_WEEKS + 2 * (ahead - 1);
    }

    /** An hour, with the limits below and above which one of ten cases lies. */
    record Range(double low, double expected, double high) {}

    /**
     * Forecasts the hours of a week, from all weeks.
     *
     * @param ahead 1 for the week after the last
     */
    Range[] forecast(int ahead) {
        return forecast(weeks.size(), ahead);
    }

    private Range[] forecast(int known, int ahead) {
        double[] expected = expected(known);
        double[][] errors = errors(known, ahead);
        Range[] ranges = new Range[HOURS_PER_WEEK];
        for (int hour = 0; hour < HOURS_PER_WEEK; hour++) {
            double[] hourErrors = errors[hour % HOURS_PER_DAY];
            // A reserved amount is never negative.
            ranges[hour] =
                    new Range(
                            Math.max(0, expected[hour] + quantile(hourErrors, TENTH)),
                            expected[hour],
                            Math.max(0, expected[hour] + quantile(hourErrors, 1 - TENTH)));
        }
        return ranges;
    }

    private double[] expected(int known) {
        double[] sums = new double[HOURS_PER_WEEK];
        double weight = 1;
        double weights = 0;
        for (int week = known - 1; week >= Math.max(0, known - AVERAGED_WEEKS); week--) {
            double[] amounts = weeks.get(week);
            for (int hour = 0; hour < HOURS_PER_WEEK; hour++) {
                sums[hour] += weight * amounts[hour];
            }
            weights += weight;
            weight *= WEEKLY_DECAY;
        }
        for (int hour = 0; hour < HOURS_PER_WEEK; hour++) {
            sums[hour] /= weights;
        }
        return sums;
    }

    /** Returns sorted errors by time of day, of the last weeks, each from as long before. */
    private double[][] errors(int known, int ahead) {
        double[][] errors = new double[HOURS_PER_DAY][ERROR_WEEKS * HOURS_PER_WEEK / HOURS_PER_DAY];
        int[] next = new int[HOURS_PER_DAY];
        for (int week = known - ERROR_WEEKS; week < known; week++) {
            double[] expected = expected(week - ahead + 1);
            for (int hour = 0; hour < HOURS_PER_WEEK; hour++) {
                int time = hour % HOURS_PER_DAY;
                errors[time][next[time]++] = weeks.get(week)[hour] - expected[hour];
            }
        }
        for (double[] each : errors) {
            Arrays.sort(each);
        }
        return errors;
    }

    /** Returns a quantile by linear interpolation (Hyndman and Fan, 7). */
    private static double quantile(double[] sorted, double share) {
        double rank = share * (sorted.length - 1);
        int below = (int) Math.floor(rank);
        int above = Math.min(below + 1, sorted.length - 1);
        return sorted[below] + (rank - below) * (sorted[above] - sorted[below]);
    }

    /**
     * Forecasts the last weeks from those before them, for each distance of the query.
     *
     * @return empty if there are too few
     */
    Optional<Trial> trial(int maxAhead) {
        if (weeks.size() < requiredWeeks(maxAhead)) {
            return Optional.empty();
        }
        int covered = 0;
        int hours = 0;
        double error = 0;
        double errorOfLastWeek = 0;
        for (int week = weeks.size() - TRIAL_WEEKS; week < weeks.size(); week++) {
            for (int ahead = 1; ahead <= maxAhead; ahead++) {
                int known = week - ahead + 1;
                Range[] ranges = forecast(known, ahead);
                for (int hour = 0; hour < HOURS_PER_WEEK; hour++) {
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
                        TRIAL_WEEKS,
                        decimal((double) covered / hours),
                        decimal(error / hours),
                        decimal(errorOfLastWeek / hours)));
    }

    /** Rounds to the precision of a forecast. */
    static BigDecimal decimal(double number) {
        return BigDecimal.valueOf(number).setScale(3, RoundingMode.HALF_UP);
    }
}
