package org.leasehold.query.capacity.forecast;

import org.leasehold.query.capacity.forecast.SeasonalForecastModel.Range;
import org.leasehold.readmodel.capacity.Capacities;
import org.leasehold.readmodel.capacity.Capacities.AskCapacity;
import org.leasehold.readmodel.capacity.Capacities.Bucket;
import org.leasehold.readmodel.capacity.Forecasts;

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
        int requiredWeeks = SeasonalForecastModel.requiredWeeks(question.weeks());
        List<Bucket> hours =
                capacities
                        .findSeries(
                                new AskCapacity(
                                        question.kind(),
                                        question.zone(),
                                        question.requirement(),
                                        null,
                                        question.from().minus(WEEK.multipliedBy(requiredWeeks)),
                                        question.from().plus(WEEK.multipliedBy(question.weeks())),
                                        Capacities.BUCKET_UNIT,
                                        1,
                                        question.asOf()))
                        .getFirst()
                        .buckets();
        List<double[]> weeks =
                weeks(hours.subList(0, requiredWeeks * SeasonalForecastModel.HOURS_PER_WEEK));
        SeasonalForecastModel experience = new SeasonalForecastModel(weeks);
        Optional<Trial> trial = experience.trial(question.weeks());
        return new Forecast(
                weeks.size(),
                trial.orElse(null),
                trial.filter(Trial::isPassed).isEmpty()
                        ? List.of()
                        : forecastHours(
                                experience,
                                hours.subList(
                                        requiredWeeks * SeasonalForecastModel.HOURS_PER_WEEK,
                                        hours.size())));
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
            SeasonalForecastModel experience, List<Bucket> calendar) {
        List<Hour> hours = new ArrayList<>();
        for (int week = 1; week <= calendar.size() / SeasonalForecastModel.HOURS_PER_WEEK; week++) {
            for (Range range : experience.forecast(week)) {
                Bucket hour = calendar.get(hours.size());
                hours.add(
                        new Hour(
                                hour.starts(),
                                SeasonalForecastModel.decimal(range.expected()),
                                SeasonalForecastModel.decimal(range.low()),
                                SeasonalForecastModel.decimal(range.high()),
                                hour.reserved()));
            }
        }
        return hours;
    }
}
