package org.leasehold.gateway.api.capacity;

import com.fasterxml.jackson.annotation.JsonInclude;

import org.jspecify.annotations.Nullable;
import org.leasehold.gateway.api.http.DecimalNormalization;
import org.leasehold.gateway.api.http.FormerName;
import org.leasehold.gateway.api.http.TimeParser;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.readmodel.capacity.Capacities.Bucket;
import org.leasehold.readmodel.capacity.Capacities.Extreme;
import org.leasehold.readmodel.capacity.Capacities.Series;
import org.leasehold.readmodel.capacity.Forecasts.Forecast;
import org.leasehold.readmodel.capacity.Forecasts.Hour;
import org.leasehold.readmodel.capacity.Forecasts.Trial;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;

/** Responses about capacity. */
public final class CapacityResponses {

    private CapacityResponses() {}

    /**
     * The capacity of a kind and its use.
     *
     * @param from the first bucket's beginning
     * @param to the last bucket's end
     */
    record CapacityAnswer(String kind, Instant from, Instant to, List<CapacitySeries> series) {}

    /**
     * A series for a group of resources.
     *
     * @param value their common value of the property {@code by}; null where they lack it, or where
     *     no property was named
     * @param mostReserved when for the first time the most is reserved
     * @param leastHeadroom when for the first time the least is left
     * @param shortage when for the first time less is left than wanted; null if never
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record CapacitySeries(
            @Nullable String value,
            CapacityExtreme mostReserved,
            CapacityExtreme leastHeadroom,
            @Nullable CapacityExtreme shortage,
            List<CapacityBucket> buckets) {

        static CapacitySeries of(Series series) {
            Extreme shortage = series.shortage();
            return new CapacitySeries(
                    series.value(),
                    CapacityExtreme.of(series.mostReserved()),
                    CapacityExtreme.of(series.leastHeadroom()),
                    shortage == null ? null : CapacityExtreme.of(shortage),
                    series.buckets().stream().map(CapacityBucket::of).toList());
        }
    }

    /** An amount of resources at an instant. */
    record CapacityExtreme(Instant at, BigDecimal amount) {

        static CapacityExtreme of(Extreme extreme) {
            return new CapacityExtreme(
                    extreme.at(), DecimalNormalization.normalize(extreme.amount()));
        }
    }

    /**
     * Averages over a part of the window, in resources.
     *
     * @param start inclusive
     * @param end exclusive
     * @param reservable enrolled, and in service
     * @param active the part of the reserved that was active, or is and stays so as far as is known
     * @param idle allocated as a whole, and observed to run nothing
     * @param headroom reservable and not reserved; negative if reserved resources are out of
     *     service
     * @param refused requested and refused, if no other resources could have served it
     */
    record CapacityBucket(
            @FormerName("starts") Instant start,
            @FormerName("ends") Instant end,
            BigDecimal enrolled,
            BigDecimal reservable,
            BigDecimal reserved,
            BigDecimal active,
            BigDecimal idle,
            BigDecimal headroom,
            BigDecimal refused) {

        static CapacityBucket of(Bucket bucket) {
            return new CapacityBucket(
                    bucket.starts(),
                    TimeParser.clamp(bucket.ends()),
                    DecimalNormalization.normalize(bucket.enrolled()),
                    DecimalNormalization.normalize(bucket.reservable()),
                    DecimalNormalization.normalize(bucket.reserved()),
                    DecimalNormalization.normalize(bucket.active()),
                    DecimalNormalization.normalize(bucket.idle()),
                    DecimalNormalization.normalize(bucket.headroom()),
                    DecimalNormalization.normalize(bucket.refused()));
        }
    }

    /**
     * A forecast of reservations.
     *
     * @param from the beginning of the current hour
     * @param offered whether it is good enough
     * @param historyWeeks the number of whole weeks of history
     * @param trial the result of the same forecast for the last of these; null if there are too few
     * @param hours none if it is not offered
     * @param firstShortage the first hour in which high exceeds what is in service; null if none
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record ForecastAnswer(
            String kind,
            Instant from,
            boolean offered,
            int historyWeeks,
            @Nullable ForecastTrial trial,
            List<ForecastHour> hours,
            @Nullable ForecastHour firstShortage) {

        static ForecastAnswer of(ResourceKind kind, Instant from, Forecast forecast) {
            Trial trial = forecast.trial();
            return new ForecastAnswer(
                    kind.value(),
                    from,
                    forecast.isOffered(),
                    forecast.history(),
                    trial == null ? null : ForecastTrial.of(trial),
                    forecast.hours().stream().map(ForecastHour::of).toList(),
                    forecast.firstShortage().map(ForecastHour::of).orElse(null));
        }
    }

    /**
     * A trial forecast of past weeks, from those before.
     *
     * @param coverage the share of their hours whose amount lay between low and high
     * @param error the average error of the expected amount
     * @param errorOfLastWeek the average error of the same hour of the last week
     */
    record ForecastTrial(
            int weeks, BigDecimal coverage, BigDecimal error, BigDecimal errorOfLastWeek) {

        static ForecastTrial of(Trial trial) {
            return new ForecastTrial(
                    trial.weeks(),
                    DecimalNormalization.normalize(trial.coverage()),
                    DecimalNormalization.normalize(trial.error()),
                    DecimalNormalization.normalize(trial.errorOfLastWeek()));
        }
    }

    /**
     * The average of a future hour, in resources.
     *
     * @param low in one of ten cases it is less
     * @param high in one of ten cases it is more
     * @param reserved the amount that is in the calendar already
     * @param reservable in service, as far as is known
     */
    record ForecastHour(
            @FormerName("starts") Instant start,
            BigDecimal expected,
            BigDecimal low,
            BigDecimal high,
            BigDecimal reserved,
            BigDecimal reservable) {

        static ForecastHour of(Hour hour) {
            return new ForecastHour(
                    hour.starts(),
                    DecimalNormalization.normalize(hour.expected()),
                    DecimalNormalization.normalize(hour.low()),
                    DecimalNormalization.normalize(hour.high()),
                    DecimalNormalization.normalize(hour.reserved()),
                    DecimalNormalization.normalize(hour.reservable()));
        }
    }
}
