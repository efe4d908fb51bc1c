package org.leasehold.query.capacity.forecast;

import org.jspecify.annotations.Nullable;
import org.leasehold.query.capacity.forecast.SeasonalForecastModel.Range;
import org.leasehold.readmodel.capacity.Capacities;
import org.leasehold.readmodel.capacity.Capacities.AskCapacity;
import org.leasehold.readmodel.capacity.Capacities.Bucket;
import org.leasehold.readmodel.capacity.Forecasts;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Forecasts from the past hours, and the future ones of the calendar. */
public final class ForecastsFromHistory implements Forecasts {

    private static final Duration WEEK = Duration.ofHours(SeasonalForecastModel.HOURS_PER_WEEK);

    private final Capacities capacities;

    public ForecastsFromHistory(Capacities capacities) {
        this.capacities = capacities;
    }

    @Override
    public Forecast forecast(AskForecast question) {
        // The past alone decides whether a forecast is good: nothing tests an assumed growth.
        int testedWeeks = Math.min(question.weeks(), MAX_WEEKS);
        int requiredWeeks = SeasonalForecastModel.requiredWeeks(testedWeeks);
        List<Bucket> hours = hours(question, -requiredWeeks, testedWeeks);
        int past = requiredWeeks * SeasonalForecastModel.HOURS_PER_WEEK;
        List<double[]> weeks = weeks(hours.subList(0, past));
        SeasonalForecastModel experience = new SeasonalForecastModel(weeks);
        Optional<Trial> trial = experience.trial(testedWeeks);
        if (trial.filter(Trial::isPassed).isEmpty()) {
            return new Forecast(weeks.size(), trial.orElse(null), List.of());
        }
        List<Bucket> calendar = new ArrayList<>(hours.subList(past, hours.size()));
        if (question.weeks() > testedWeeks) {
            // Past and future together would be more buckets than a query has.
            calendar.addAll(hours(question, testedWeeks, question.weeks()));
        }
        return new Forecast(
                weeks.size(),
                trial.orElse(null),
                forecastHours(experience, calendar, question.growth()));
    }

    /** Returns the hours of some weeks, counted from the beginning of the forecast. */
    private List<Bucket> hours(AskForecast question, int fromWeek, int toWeek) {
        return capacities
                .findSeries(
                        new AskCapacity(
                                question.kind(),
                                question.zone(),
                                question.requirement(),
                                null,
                                question.from().plus(WEEK.multipliedBy(fromWeek)),
                                question.from().plus(WEEK.multipliedBy(toWeek)),
                                Capacities.BUCKET_UNIT,
                                1,
                                question.asOf()))
                .getFirst()
                .buckets();
    }

    /** Returns the weeks after the last one in which the kind at some time had no resources. */
    private static List<double[]> weeks(List<Bucket> hours) {
        List<double[]> weeks = new ArrayList<>();
        for (int from = 0; from < hours.size(); from += SeasonalForecastModel.HOURS_PER_WEEK) {
            List<Bucket> week = hours.subList(from, from + SeasonalForecastModel.HOURS_PER_WEEK);
            if (week.stream().allMatch(hour -> hour.enrolled().signum() > 0)) {
                weeks.add(
                        week.stream().mapToDouble(hour -> hour.reserved().doubleValue()).toArray());
            } else {
                weeks.clear();
            }
        }
        return weeks;
    }

    private static List<Hour> forecastHours(
            SeasonalForecastModel experience, List<Bucket> calendar, @Nullable BigDecimal growth) {
        double factorPerWeek = growth == null ? 1 : 1 + growth.doubleValue() / 100;
        double factor = 1;
        List<Hour> hours = new ArrayList<>();
        for (int week = 1; week <= calendar.size() / SeasonalForecastModel.HOURS_PER_WEEK; week++) {
            factor *= factorPerWeek;
            for (Range range : experience.forecast(Math.min(week, MAX_WEEKS))) {
                Bucket hour = calendar.get(hours.size());
                hours.add(
                        new Hour(
                                hour.starts(),
                                SeasonalForecastModel.decimal(factor * range.expected()),
                                SeasonalForecastModel.decimal(factor * range.low()),
                                SeasonalForecastModel.decimal(factor * range.high()),
                                hour.reserved(),
                                hour.reservable()));
            }
        }
        return hours;
    }
}
