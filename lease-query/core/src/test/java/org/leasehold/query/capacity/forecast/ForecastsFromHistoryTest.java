package org.leasehold.query.capacity.forecast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.leasehold.inventory.Requirement;
import org.leasehold.inventory.Requirement.Comparison;
import org.leasehold.inventory.Requirement.Operator;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.readmodel.capacity.Capacities;
import org.leasehold.readmodel.capacity.Forecasts.AskForecast;
import org.leasehold.readmodel.capacity.Forecasts.Forecast;
import org.leasehold.readmodel.capacity.Forecasts.Hour;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

class ForecastsFromHistoryTest {

    private static final Instant NOW = Instant.parse("2026-11-23T15:00:00Z");
    private static final Duration WEEK = Duration.ofDays(7);
    private static final BigDecimal IN_THE_CALENDAR = new BigDecimal("7.000000");

    private final Noise noise = new Noise();
    private final ForecastsFromHistory forecasts = new ForecastsFromHistory(noise);

    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void a_forecast_shows_the_reserved_amount_beside_the_expected_one(int weeks) {
        Forecast forecast = forecasts.forecast(ask(weeks));

        assertThat(forecast.isOffered()).as(forecast.toString()).isTrue();
        assertThat(forecast.hours()).hasSize(weeks * 168);
        for (int i = 0; i < forecast.hours().size(); i++) {
            Hour hour = forecast.hours().get(i);
            assertThat(hour.starts()).isEqualTo(NOW.plus(Duration.ofHours(i)));
            assertThat(hour.reserved()).isEqualTo(IN_THE_CALENDAR);
            assertThat(hour.low()).isLessThan(hour.high());
            assertThat(hour.expected()).isBetween(new BigDecimal("30"), new BigDecimal("50"));
        }
    }

    @Test
    void weeks_before_the_first_enrolment_are_not_history() {
        noise.enrolledSince = NOW.minus(WEEK.multipliedBy(23)).minus(Duration.ofHours(5));

        Forecast forecast = forecasts.forecast(ask(1));

        assertThat(forecast.history()).isEqualTo(23);
        assertThat(forecast.trial()).isNull();
        assertThat(forecast.isOffered()).isFalse();
        assertThat(forecast.hours()).isEmpty();
    }

    @Test
    void a_forecast_that_fails_the_trial_is_not_offered() {
        noise.isGrowing = true;

        Forecast forecast = forecasts.forecast(ask(1));

        assertThat(forecast.trial()).isNotNull();
        assertThat(forecast.isOffered()).isFalse();
        assertThat(forecast.hours()).isEmpty();
    }

    @Test
    void a_forecast_queries_the_requested_resources() {
        Requirement gpu = new Comparison(Operator.EQUAL, "gpu", "V100");

        forecasts.forecast(
                new AskForecast(ResourceKind.PHYSICAL_HOST, "east", gpu, NOW, 2, null, 7L));

        assertThat(noise.questions)
                .containsExactly(
                        new Capacities.AskCapacity(
                                ResourceKind.PHYSICAL_HOST,
                                "east",
                                gpu,
                                null,
                                NOW.minus(WEEK.multipliedBy(26)),
                                NOW.plus(WEEK.multipliedBy(2)),
                                Capacities.BUCKET_UNIT,
                                1,
                                7L));
    }

    private static AskForecast ask(int weeks) {
        return new AskForecast(
                ResourceKind.PHYSICAL_HOST, null, Requirement.none(), NOW, weeks, null, null);
    }

    @Test
    void growth_multiplies_each_week_and_lasts_a_year() {
        List<Hour> plain = forecasts.forecast(ask(4)).hours();
        List<Hour> growing = forecasts.forecast(grow(52, "2")).hours();
        // The noise differs between queries, so the level is compared on average.
        assertThat(growing).hasSize(52 * 168);
        assertThat(growing.getLast().starts())
                .isEqualTo(NOW.plus(WEEK.multipliedBy(52)).minus(Duration.ofHours(1)));
        assertThat(average(growing, 1) / average(plain, 1)).isBetween(0.97, 1.07);
        assertThat(average(growing, 52) / average(growing, 1))
                .isCloseTo(Math.pow(1.02, 51), withinPercentage(3));
        assertThat(growing.get(200).reserved()).isEqualTo(IN_THE_CALENDAR);
    }

    private static double average(List<Hour> hours, int week) {
        return hours.subList((week - 1) * 168, week * 168).stream()
                .mapToDouble(hour -> hour.expected().doubleValue())
                .average()
                .orElseThrow();
    }

    @Test
    void the_first_shortage_is_the_first_hour_whose_high_exceeds_the_reservable() {
        noise.reservable = new BigDecimal("70");
        assertThat(forecasts.forecast(ask(4)).firstShortage()).isEmpty();

        Forecast growing = forecasts.forecast(grow(52, "2"));

        Hour first = growing.firstShortage().orElseThrow();
        assertThat(first.high()).isGreaterThan(first.reservable());
        assertThat(growing.hours().subList(0, growing.hours().indexOf(first)))
                .isNotEmpty()
                .allSatisfy(hour -> assertThat(hour.high()).isLessThanOrEqualTo(hour.reservable()));
    }

    private static AskForecast grow(int weeks, String percent) {
        return new AskForecast(
                ResourceKind.PHYSICAL_HOST,
                null,
                Requirement.none(),
                NOW,
                weeks,
                new BigDecimal(percent),
                null);
    }

    /** Thirty to fifty hosts up to now, and the calendar's bookings from then on. */
    private static final class Noise implements Capacities {

        private final List<AskCapacity> questions = new ArrayList<>();
        private final SplittableRandom random = new SplittableRandom(1);
        private Instant enrolledSince = Instant.EPOCH;
        private BigDecimal reservable = BigDecimal.TEN;
        private boolean isGrowing;

        @Override
        public List<Series> findSeries(AskCapacity question) {
            questions.add(question);
            List<Bucket> hours = new ArrayList<>();
            for (Instant at = question.from();
                    at.isBefore(question.to());
                    at = at.plus(BUCKET_UNIT)) {
                hours.add(
                        new Bucket(
                                at,
                                at.plus(BUCKET_UNIT),
                                at.isBefore(enrolledSince) ? BigDecimal.ZERO : BigDecimal.TEN,
                                reservable,
                                at.isBefore(NOW) ? amount(at) : IN_THE_CALENDAR,
                                BigDecimal.ZERO,
                                BigDecimal.ZERO,
                                BigDecimal.ZERO));
            }
            Extreme nothing = new Extreme(question.from(), BigDecimal.ZERO);
            return List.of(new Series(null, hours, nothing, nothing, null));
        }

        private BigDecimal amount(Instant at) {
            return isGrowing
                    ? BigDecimal.valueOf(Duration.between(Instant.EPOCH, at).toHours())
                    : BigDecimal.valueOf(30 + 20 * random.nextDouble());
        }

        @Override
        public List<Standing> capacityAt(Instant at) {
            return List.of();
        }
    }
}
