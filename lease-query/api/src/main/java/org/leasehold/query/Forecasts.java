package org.leasehold.query;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.Requirement;
import org.leasehold.inventory.ResourceKind;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;

/**
 * How much of a kind of resources will come to be reserved, by experience: also by those who have
 * not asked yet. Amounts are resources, as {@link Capacities} counts them.
 */
public interface Forecasts {

    /** The read model that it stands on, for {@link Projections}. */
    String STANDS_ON = Capacities.STANDS_ON;

    /** How many weeks ahead can be asked for. */
    int MOST_WEEKS = 4;

    /** Looks at the weeks that are over, and tries itself on them. */
    Forecast forecast(AskForecast question);

    /**
     * What to forecast.
     *
     * @param zone an availability zone; null for all
     * @param requirement what the properties must be that operators gave the resources
     * @param from on the hour, in UTC: what is before is experience
     * @param weeks how many from then on, at most {@link #MOST_WEEKS}
     * @param asOf the position of the event up to which all was known; null for what is known now
     */
    record AskForecast(
            ResourceKind kind,
            @Nullable String zone,
            Requirement requirement,
            Instant from,
            int weeks,
            @Nullable Long asOf) {

        public AskForecast {
            if (weeks < 1 || weeks > MOST_WEEKS) {
                throw new IllegalArgumentException("so many weeks: " + weeks);
            }
        }
    }

    /**
     * A forecast, or why there is none.
     *
     * @param history how many whole weeks it looked at
     * @param trial what became of the same on the last of these; null if there are too few
     * @param hours in the order of time; none if it is not offered
     */
    record Forecast(int history, @Nullable Trial trial, List<Hour> hours) {

        public Forecast {
            hours = List.copyOf(hours);
        }

        /** Whether it is good enough to be told. */
        public boolean isOffered() {
            return trial != null && trial.isPassed();
        }
    }

    /**
     * Weeks that are over, each forecast from what was known as long before as is asked for now.
     *
     * @param weeks how many
     * @param coverage of all of their hours, the share whose amount lay between low and high
     * @param error how far the expected amount was off, on the average
     * @param errorOfLastWeek how far that of the same hour of the last week known was off
     */
    record Trial(int weeks, BigDecimal coverage, BigDecimal error, BigDecimal errorOfLastWeek) {

        private static final BigDecimal LEAST_COVERAGE = new BigDecimal("0.70");
        private static final BigDecimal MOST_COVERAGE = new BigDecimal("0.90");

        /** What an interval of 80 % has to cover, and better than saying that nothing changes. */
        public boolean isPassed() {
            return coverage.compareTo(LEAST_COVERAGE) >= 0
                    && coverage.compareTo(MOST_COVERAGE) <= 0
                    && error.compareTo(errorOfLastWeek) < 0;
        }
    }

    /**
     * An hour to come, in averages.
     *
     * @param low in one of ten cases it is less
     * @param high in one of ten cases it is more
     * @param reserved what of it is in the calendar already
     */
    record Hour(
            Instant starts,
            BigDecimal expected,
            BigDecimal low,
            BigDecimal high,
            BigDecimal reserved) {}
}
