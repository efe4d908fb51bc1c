package org.leasehold.readmodel.capacity;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.Requirement;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.readmodel.operation.ProjectionOffsets;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Forecasts of the reserved amount of a kind, by experience, with leases that are not requested
 * yet. Amounts are resources, as {@link Capacities} counts them.
 */
public interface Forecasts {

    /** The name of the read model behind it, for {@link ProjectionOffsets}. */
    String READ_MODEL = Capacities.READ_MODEL;

    /** The largest number of weeks ahead that the past alone forecasts. */
    int MAX_WEEKS = 4;

    /** The largest number of weeks ahead with an assumed growth. */
    int MAX_WEEKS_OF_GROWTH = 52;

    /** Computes a forecast from past weeks, and tests it on them. */
    Forecast forecast(AskForecast question);

    /**
     * A query for a forecast.
     *
     * @param zone an availability zone; null for all
     * @param requirement the required properties, as operators set them
     * @param from on the hour, in UTC; time before it is experience
     * @param weeks the number of weeks from then on: at most {@link #MAX_WEEKS}, or {@link
     *     #MAX_WEEKS_OF_GROWTH} with a growth
     * @param growth an assumed growth in percent a week, by which each week exceeds the one before;
     *     null for none
     * @param asOf the position of the last event to include; null for what is known now
     */
    record AskForecast(
            ResourceKind kind,
            @Nullable String zone,
            Requirement requirement,
            Instant from,
            int weeks,
            @Nullable BigDecimal growth,
            @Nullable Long asOf) {

        public AskForecast {
            if (weeks < 1 || weeks > (growth == null ? MAX_WEEKS : MAX_WEEKS_OF_GROWTH)) {
                throw new IllegalArgumentException("so many weeks: " + weeks);
            }
        }
    }

    /**
     * A forecast, or the reason why there is none.
     *
     * @param history the number of whole weeks behind it
     * @param trial the result of the same method on the last of these; null if there are too few
     * @param hours in the order of time; none if it is not offered
     */
    record Forecast(int history, @Nullable Trial trial, List<Hour> hours) {

        public Forecast {
            hours = List.copyOf(hours);
        }

        /** Returns the first hour whose upper bound exceeds what is in service; empty if none. */
        public Optional<Hour> firstShortage() {
            return hours.stream().filter(Hour::isShort).findFirst();
        }

        /** Returns whether the trial was passed. */
        public boolean isOffered() {
            return trial != null && trial.isPassed();
        }
    }

    /**
     * Past weeks, each forecast from the data of as long before as the query looks ahead now.
     *
     * @param weeks their number
     * @param coverage of all of their hours, the share whose amount lay between low and high
     * @param error the average error of the expected amount
     * @param errorOfLastWeek the average error of the same hour of the last week known
     */
    record Trial(int weeks, BigDecimal coverage, BigDecimal error, BigDecimal errorOfLastWeek) {

        private static final BigDecimal MIN_COVERAGE = new BigDecimal("0.70");
        private static final BigDecimal MAX_COVERAGE = new BigDecimal("0.90");

        /** Returns whether the coverage suits an 80 % interval, and the error beats last week's. */
        public boolean isPassed() {
            return coverage.compareTo(MIN_COVERAGE) >= 0
                    && coverage.compareTo(MAX_COVERAGE) <= 0
                    && error.compareTo(errorOfLastWeek) < 0;
        }
    }

    /**
     * A future hour, in averages.
     *
     * @param low in one of ten cases it is less
     * @param high in one of ten cases it is more
     * @param reserved the part that is in the calendar already
     * @param reservable the resources in service, as far as is known
     */
    record Hour(
            Instant starts,
            BigDecimal expected,
            BigDecimal low,
            BigDecimal high,
            BigDecimal reserved,
            BigDecimal reservable) {

        private boolean isShort() {
            return high.compareTo(reservable) > 0;
        }
    }
}
