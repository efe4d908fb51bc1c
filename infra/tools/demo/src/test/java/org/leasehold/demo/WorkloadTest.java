package org.leasehold.demo;

import static org.assertj.core.api.Assertions.assertThat;

import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.leasehold.demo.Project.Temperament;
import org.leasehold.demo.WorkloadStep.Asked;
import org.leasehold.demo.WorkloadStep.Prolonged;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;

/** Tests that a year of demand is plausible and reproducible. */
class WorkloadTest {

    private static final Instant UNTIL = Instant.parse("2026-11-16T00:00:00Z");
    private static final int YEAR = 365;

    @Test
    void a_seed_determines_the_demand() {
        assertThat(Workload.of(1, UNTIL, 60)).isEqualTo(Workload.of(1, UNTIL, 60));
        assertThat(Workload.of(1, UNTIL, 60)).isNotEqualTo(Workload.of(2, UNTIL, 60));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void every_requested_lease_ends_before_the_final_quiet_period(long seed) {
        Workload demand = Workload.of(seed, UNTIL, YEAR);
        Instant last = UNTIL.minus(Workload.QUIET_PERIOD);
        assertThat(demand.happenings())
                .isSortedAccordingTo((one, other) -> one.at().compareTo(other.at()))
                .allMatch(happening -> happening.at().isBefore(UNTIL))
                .noneMatch(
                        happening ->
                                switch (happening) {
                                    case Asked asked -> asked.end().isAfter(last);
                                    case Prolonged prolonged -> prolonged.end().isAfter(last);
                                    case WorkloadStep _ -> false;
                                });
        assertThat(asked(demand).size()).isBetween(17_000, 24_000);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void the_demand_repeats_daily_and_weekly(long seed) {
        double[] hours = hours(Workload.of(seed, UNTIL, YEAR));
        assertThat(correlation(hours, 24)).isGreaterThan(0.3);
        assertThat(correlation(hours, 7 * 24)).isGreaterThan(correlation(hours, 24));
        assertThat(correlation(hours, 12)).isNegative();
    }

    @Test
    void the_demand_grows_by_30_percent_in_a_year() {
        Instant monday = Instant.parse("2025-11-03T15:00:00Z");
        SeasonalRequestRates season = new SeasonalRequestRates(monday);
        for (Temperament temperament : Temperament.values()) {
            double before = season.leasesPerHour(temperament, monday);
            double after = season.leasesPerHour(temperament, monday.plus(Duration.ofDays(364)));
            assertThat(before).isPositive();
            assertThat(after).isCloseTo(before * 1.3, within(before * 0.002));
        }
    }

    @Test
    void the_teaching_demand_rises_at_eight_o_clock_local_time() {
        SeasonalRequestRates season = new SeasonalRequestRates(UNTIL);
        // Eight o'clock in Berlin is 6:00 UTC in summer and 7:00 UTC in winter.
        for (String eight : List.of("2026-06-09T06:00:00Z", "2026-11-10T07:00:00Z")) {
            Instant hour = Instant.parse(eight);
            assertThat(season.leasesPerHour(Temperament.TEACHING, hour))
                    .isGreaterThan(
                            10 * season.leasesPerHour(Temperament.TEACHING, hour.minusSeconds(1)));
        }
    }

    private static Offset<Double> within(double offset) {
        return Offset.offset(offset);
    }

    private static List<Asked> asked(Workload demand) {
        return demand.happenings().stream()
                .filter(Asked.class::isInstance)
                .map(Asked.class::cast)
                .toList();
    }

    private static double[] hours(Workload demand) {
        double[] hours = new double[YEAR * 24];
        for (Asked asked : asked(demand)) {
            hours[(int) Duration.between(demand.from(), asked.at()).toHours()]++;
        }
        return hours;
    }

    /** Returns the correlation between each hour and a later one. */
    private static double correlation(double[] hours, int lag) {
        double mean = Arrays.stream(hours).average().orElseThrow();
        double together = 0;
        double alone = 0;
        for (int hour = 0; hour < hours.length; hour++) {
            alone += (hours[hour] - mean) * (hours[hour] - mean);
            if (hour >= lag) {
                together += (hours[hour] - mean) * (hours[hour - lag] - mean);
            }
        }
        return together / alone;
    }
}
