package org.leasehold.query.capacity.forecast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.leasehold.query.capacity.forecast.SeasonalForecastModel.Range;
import org.leasehold.readmodel.capacity.Forecasts.Trial;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.Stream;

class SeasonalForecastModelTest {

    @Test
    void identical_weeks_give_an_exact_forecast() {
        List<double[]> weeks = weeks(30, (_, hour) -> hour % 24);

        Range[] ranges = new SeasonalForecastModel(weeks).forecast(1);

        for (int hour = 0; hour < SeasonalForecastModel.HOURS_PER_WEEK; hour++) {
            assertThat(ranges[hour].expected()).isCloseTo(hour % 24, within(1e-9));
            assertThat(ranges[hour].low()).isCloseTo(ranges[hour].expected(), within(1e-9));
            assertThat(ranges[hour].high()).isCloseTo(ranges[hour].expected(), within(1e-9));
        }
    }

    @Test
    void a_week_counts_less_than_the_one_after_it() {
        List<double[]> weeks = weeks(30, (week, _) -> week == 29 ? 10 : week == 28 ? 20 : 0);

        double expected = new SeasonalForecastModel(weeks).forecast(1)[5].expected();

        // 1 + 0.7 + … + 0.7^7 = (1 - 0.7^8) / 0.3
        assertThat(expected)
                .isCloseTo((10 + 0.7 * 20) * 0.3 / (1 - Math.pow(0.7, 8)), within(1e-9));
    }

    @Test
    void the_interval_is_as_wide_as_the_errors_at_that_time_of_day() {
        SplittableRandom random = new SplittableRandom(1);
        List<double[]> weeks =
                weeks(30, (_, hour) -> 50 + (hour % 24 < 12 ? 0 : 20 * random.nextDouble() - 10));

        Range[] ranges = new SeasonalForecastModel(weeks).forecast(1);

        for (int hour = 0; hour < SeasonalForecastModel.HOURS_PER_WEEK; hour++) {
            double width = ranges[hour].high() - ranges[hour].low();
            if (hour % 24 < 12) {
                assertThat(width).isCloseTo(0, within(1e-9));
            } else {
                // Eight tenths of a uniform distribution over twenty, and the mean's part.
                assertThat(width).isBetween(12.0, 20.0);
            }
        }
    }

    @Test
    void a_forecast_range_is_not_negative() {
        SplittableRandom random = new SplittableRandom(2);
        List<double[]> weeks = weeks(30, (_, _) -> random.nextInt(10) == 0 ? 40 : 0);

        for (Range range : new SeasonalForecastModel(weeks).forecast(4)) {
            assertThat(range.low()).isNotNegative();
            assertThat(range.high()).isGreaterThanOrEqualTo(range.low());
        }
    }

    @Test
    void noise_around_a_constant_pattern_passes_the_trial() {
        SplittableRandom random = new SplittableRandom(3);
        List<double[]> weeks = weeks(40, (_, hour) -> 60 + hour % 24 + 10 * random.nextDouble());

        Trial trial = new SeasonalForecastModel(weeks).trial(4).orElseThrow();

        assertThat(trial.isPassed()).as(trial.toString()).isTrue();
    }

    @Test
    void a_random_walk_fails_the_trial() {
        // Each week is the last one and a step, so that the last week is the best forecast.
        double[] level = {100};
        SplittableRandom random = new SplittableRandom(4);
        List<double[]> weeks =
                weeks(
                        40,
                        (_, hour) -> {
                            if (hour == 0) {
                                level[0] += random.nextBoolean() ? 15 : -5;
                            }
                            return level[0];
                        });

        Trial trial = new SeasonalForecastModel(weeks).trial(1).orElseThrow();

        assertThat(trial.isPassed()).as(trial.toString()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"1, 24", "2, 26", "4, 30"})
    void a_trial_requires_a_minimum_number_of_weeks(int ahead, int needed) {
        List<double[]> weeks = weeks(needed, (week, hour) -> week + hour);

        assertThat(SeasonalForecastModel.requiredWeeks(ahead)).isEqualTo(needed);
        assertThat(new SeasonalForecastModel(weeks).trial(ahead)).isPresent();
        assertThat(new SeasonalForecastModel(weeks.subList(1, needed)).trial(ahead)).isEmpty();
    }

    /**
     * Tests the demo's year (seed 1, until 2026-11-16), hour by hour, a day in a line. At each
     * week's end a forecast was offered or not, from the data so far. The week after it shows its
     * quality.
     */
    @ParameterizedTest
    @CsvSource({"year-of-hosts.txt", "year-of-addresses.txt"})
    void the_offered_forecasts_of_a_year_are_accurate(String file) {
        List<double[]> year = year(file);
        int offered = 0;
        int covered = 0;
        double error = 0;
        double errorOfLastWeek = 0;
        for (int known = SeasonalForecastModel.requiredWeeks(1); known < year.size(); known++) {
            SeasonalForecastModel experience = new SeasonalForecastModel(year.subList(0, known));
            if (experience.trial(1).filter(Trial::isPassed).isEmpty()) {
                continue;
            }
            offered++;
            Range[] ranges = experience.forecast(1);
            for (int hour = 0; hour < SeasonalForecastModel.HOURS_PER_WEEK; hour++) {
                double amount = year.get(known)[hour];
                Range range = ranges[hour];
                covered += range.low() <= amount && amount <= range.high() ? 1 : 0;
                error += Math.abs(amount - range.expected());
                errorOfLastWeek += Math.abs(amount - year.get(known - 1)[hour]);
            }
        }

        assertThat(offered).isGreaterThan(10);
        assertThat((double) covered / (offered * SeasonalForecastModel.HOURS_PER_WEEK))
                .isBetween(0.70, 0.90);
        assertThat(error).isLessThan(0.95 * errorOfLastWeek);
    }

    @ParameterizedTest
    @CsvSource({"year-of-hosts.txt", "year-of-addresses.txt"})
    void a_year_of_history_passes_the_trial(String file) {
        Trial trial = new SeasonalForecastModel(year(file)).trial(1).orElseThrow();

        assertThat(trial.isPassed()).as(trial.toString()).isTrue();
    }

    private interface Amount {
        double of(int week, int hour);
    }

    private static List<double[]> weeks(int number, Amount amount) {
        List<double[]> weeks = new ArrayList<>();
        for (int week = 0; week < number; week++) {
            double[] amounts = new double[SeasonalForecastModel.HOURS_PER_WEEK];
            for (int hour = 0; hour < SeasonalForecastModel.HOURS_PER_WEEK; hour++) {
                amounts[hour] = amount.of(week, hour);
            }
            weeks.add(amounts);
        }
        return weeks;
    }

    private static List<double[]> year(String file) {
        double[] hours;
        try (InputStream stream = SeasonalForecastModelTest.class.getResourceAsStream(file)) {
            hours =
                    Stream.of(
                                    new String(
                                                    Objects.requireNonNull(stream).readAllBytes(),
                                                    StandardCharsets.US_ASCII)
                                            .split("\\s+"))
                            .mapToDouble(Double::parseDouble)
                            .toArray();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return weeks(
                hours.length / SeasonalForecastModel.HOURS_PER_WEEK,
                (week, hour) -> hours[week * SeasonalForecastModel.HOURS_PER_WEEK + hour]);
    }
}
