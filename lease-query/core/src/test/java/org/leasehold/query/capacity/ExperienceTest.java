package org.leasehold.query.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.leasehold.query.Forecasts.Trial;
import org.leasehold.query.capacity.Experience.Range;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.Stream;

class ExperienceTest {

    @Test
    void what_is_the_same_each_week_is_expected_without_a_doubt() {
        List<double[]> weeks = weeks(30, (_, hour) -> hour % 24);

        Range[] ranges = new Experience(weeks).forecast(1);

        for (int hour = 0; hour < Experience.HOURS; hour++) {
            assertThat(ranges[hour].expected()).isCloseTo(hour % 24, within(1e-9));
            assertThat(ranges[hour].low()).isCloseTo(ranges[hour].expected(), within(1e-9));
            assertThat(ranges[hour].high()).isCloseTo(ranges[hour].expected(), within(1e-9));
        }
    }

    @Test
    void a_week_counts_less_than_the_one_after_it() {
        List<double[]> weeks = weeks(30, (week, _) -> week == 29 ? 10 : week == 28 ? 20 : 0);

        double expected = new Experience(weeks).forecast(1)[5].expected();

        // 1 + 0.7 + … + 0.7^7 = (1 - 0.7^8) / 0.3
        assertThat(expected)
                .isCloseTo((10 + 0.7 * 20) * 0.3 / (1 - Math.pow(0.7, 8)), within(1e-9));
    }

    @Test
    void the_interval_is_as_wide_as_the_errors_at_that_time_of_day() {
        SplittableRandom random = new SplittableRandom(1);
        List<double[]> weeks =
                weeks(30, (_, hour) -> 50 + (hour % 24 < 12 ? 0 : 20 * random.nextDouble() - 10));

        Range[] ranges = new Experience(weeks).forecast(1);

        for (int hour = 0; hour < Experience.HOURS; hour++) {
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
    void less_than_nothing_is_not_expected() {
        SplittableRandom random = new SplittableRandom(2);
        List<double[]> weeks = weeks(30, (_, _) -> random.nextInt(10) == 0 ? 40 : 0);

        for (Range range : new Experience(weeks).forecast(4)) {
            assertThat(range.low()).isNotNegative();
            assertThat(range.high()).isGreaterThanOrEqualTo(range.low());
        }
    }

    @Test
    void noise_around_what_stays_is_forecast_better_than_by_the_last_week() {
        SplittableRandom random = new SplittableRandom(3);
        List<double[]> weeks = weeks(40, (_, hour) -> 60 + hour % 24 + 10 * random.nextDouble());

        Trial trial = new Experience(weeks).trial(4).orElseThrow();

        assertThat(trial.isPassed()).as(trial.toString()).isTrue();
    }

    @Test
    void what_wanders_is_not_forecast() {
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

        Trial trial = new Experience(weeks).trial(1).orElseThrow();

        assertThat(trial.isPassed()).as(trial.toString()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"1, 24", "2, 26", "4, 30"})
    void so_many_weeks_are_needed(int ahead, int needed) {
        List<double[]> weeks = weeks(needed, (week, hour) -> week + hour);

        assertThat(Experience.needed(ahead)).isEqualTo(needed);
        assertThat(new Experience(weeks).trial(ahead)).isPresent();
        assertThat(new Experience(weeks.subList(1, needed)).trial(ahead)).isEmpty();
    }

    /**
     * Tests the demo's year (seed 1, until 2026-11-16), hour by hour, a day in a line. At each
     * week's end a forecast was offered or not, from the data so far. The week after it shows its
     * quality.
     */
    @ParameterizedTest
    @CsvSource({"year-of-hosts.txt", "year-of-addresses.txt"})
    void what_is_offered_in_a_year_holds(String file) {
        List<double[]> year = year(file);
        int offered = 0;
        int covered = 0;
        double error = 0;
        double errorOfLastWeek = 0;
        for (int known = Experience.needed(1); known < year.size(); known++) {
            Experience experience = new Experience(year.subList(0, known));
            if (experience.trial(1).filter(Trial::isPassed).isEmpty()) {
                continue;
            }
            offered++;
            Range[] ranges = experience.forecast(1);
            for (int hour = 0; hour < Experience.HOURS; hour++) {
                double amount = year.get(known)[hour];
                Range range = ranges[hour];
                covered += range.low() <= amount && amount <= range.high() ? 1 : 0;
                error += Math.abs(amount - range.expected());
                errorOfLastWeek += Math.abs(amount - year.get(known - 1)[hour]);
            }
        }

        assertThat(offered).isGreaterThan(10);
        assertThat((double) covered / (offered * Experience.HOURS)).isBetween(0.70, 0.90);
        assertThat(error).isLessThan(0.95 * errorOfLastWeek);
    }

    @ParameterizedTest
    @CsvSource({"year-of-hosts.txt", "year-of-addresses.txt"})
    void at_the_end_of_that_year_a_forecast_is_offered(String file) {
        Trial trial = new Experience(year(file)).trial(1).orElseThrow();

        assertThat(trial.isPassed()).as(trial.toString()).isTrue();
    }

    private interface Amount {
        double of(int week, int hour);
    }

    private static List<double[]> weeks(int number, Amount amount) {
        List<double[]> weeks = new ArrayList<>();
        for (int week = 0; week < number; week++) {
            double[] amounts = new double[Experience.HOURS];
            for (int hour = 0; hour < Experience.HOURS; hour++) {
                amounts[hour] = amount.of(week, hour);
            }
            weeks.add(amounts);
        }
        return weeks;
    }

    private static List<double[]> year(String file) {
        double[] hours;
        try (InputStream stream = ExperienceTest.class.getResourceAsStream(file)) {
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
                hours.length / Experience.HOURS,
                (week, hour) -> hours[week * Experience.HOURS + hour]);
    }
}
