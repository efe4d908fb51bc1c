package org.leasehold.query.capacity;

import org.leasehold.query.Capacities;
import org.leasehold.query.Capacities.AskCapacity;
import org.leasehold.query.Capacities.Bucket;
import org.leasehold.query.Forecasts;
import org.leasehold.query.capacity.Experience.Range;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Forecasts from the past hours, and the future ones of the calendar. */
final class ForecastsFromHistory implements Forecasts {

    private static final Duration WEEK = Duration.ofHours(Experience.HOURS);

    private final Capacities capacities;

    ForecastsFromHistory(Capacities capacities) {
        this.capacities = capacities;
    }

    @Override
    public Forecast forecast(AskForecast question) {
        int most = Experience.needed(question.weeks());
        List<Bucket> hours =
                capacities
                        .tell(
                                new AskCapacity(
                                        question.kind(),
                                        question.zone(),
                                        question.requirement(),
                                        null,
                                        question.from().minus(WEEK.multipliedBy(most)),
                                        question.from().plus(WEEK.multipliedBy(question.weeks())),
                                        Capacities.HOUR,
                                        1,
                                        question.asOf()))
                        .getFirst()
                        .buckets();
        List<double[]> weeks = weeks(hours.subList(0, most * Experience.HOURS));
        Experience experience = new Experience(weeks);
        Optional<Trial> trial = experience.trial(question.weeks());
        return new Forecast(
                weeks.size(),
                trial.orElse(null),
                trial.filter(Trial::isPassed).isEmpty()
                        ? List.of()
                        : ahead(experience, hours.subList(most * Experience.HOURS, hours.size())));
    }

    /** Returns the weeks after the last one in which the kind at some time had no resources. */
    private static List<double[]> weeks(List<Bucket> hours) {
        List<double[]> weeks = new ArrayList<>();
        for (int from = 0; from < hours.size(); from += Experience.HOURS) {
            List<Bucket> week = hours.subList(from, from + Experience.HOURS);
            if (week.stream().allMatch(hour -> hour.enrolled().signum() > 0)) {
                weeks.add(
                        week.stream().mapToDouble(hour -> hour.reserved().doubleValue()).toArray());
            } else {
                weeks.clear();
            }
        }
        return weeks;
    }

    private static List<Hour> ahead(Experience experience, List<Bucket> calendar) {
        List<Hour> hours = new ArrayList<>();
        for (int week = 1; week <= calendar.size() / Experience.HOURS; week++) {
            for (Range range : experience.forecast(week)) {
                Bucket hour = calendar.get(hours.size());
                hours.add(
                        new Hour(
                                hour.starts(),
                                Experience.decimal(range.expected()),
                                Experience.decimal(range.low()),
                                Experience.decimal(range.high()),
                                hour.reserved()));
            }
        }
        return hours;
    }
}
