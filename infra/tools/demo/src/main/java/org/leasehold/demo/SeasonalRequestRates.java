package org.leasehold.demo;

import org.leasehold.demo.Project.Temperament;

import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.MonthDay;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Set;

/** The rates of requests by local time. */
final class SeasonalRequestRates {

    static final ZoneId ZONE = ZoneId.of("Europe/Berlin");

    /** The growth of demand within a year from the first day on. */
    private static final double GROWTH = 0.3;

    private static final double DAYS_A_YEAR = 365;
    private static final int BOOKING_LEAD_WEEKS = 3;

    private static final Set<MonthDay> HOLIDAYS =
            Set.of(
                    MonthDay.of(1, 1),
                    MonthDay.of(1, 6),
                    MonthDay.of(5, 1),
                    MonthDay.of(10, 3),
                    MonthDay.of(11, 1));

    private final Instant beginning;

    SeasonalRequestRates(Instant beginning) {
        this.beginning = beginning;
    }

    /** Returns the average number of leases that a project of a kind requests in an hour. */
    double leasesPerHour(Temperament temperament, Instant hour) {
        double days = ChronoUnit.HOURS.between(beginning, hour) / 24.0;
        return baseRate(temperament, hour.atZone(ZONE)) * (1 + GROWTH * days / DAYS_A_YEAR);
    }

    private static double baseRate(Temperament temperament, ZonedDateTime when) {
        LocalDate day = when.toLocalDate();
        int hour = when.getHour();
        boolean free = isDayOff(day);
        return switch (temperament) {
            case RESEARCH ->
                    (within(hour, 8, 20) ? 0.36 : within(hour, 20, 24) ? 0.15 : 0.02)
                            * (free ? 0.25 : 1)
                            * (isQuietPeriod(day) ? 0.3 : 1);
            case TEACHING ->
                    free || !(isTerm(day) || isTerm(day.plusWeeks(BOOKING_LEAD_WEEKS)))
                            ? 0
                            : within(hour, 8, 18) ? 0.55 : 0.02;
            case BATCH -> within(hour, 15, 19) ? (free ? 0.4 : 0.8) : 0;
            case SPONTANEOUS ->
                    (within(hour, 9, 23) ? 0.5 : within(hour, 7, 9) ? 0.2 : 0.04)
                            * (free ? 0.5 : 1)
                            * (isQuietPeriod(day) ? 0.5 : 1);
        };
    }

    private static boolean within(int hour, int from, int until) {
        return from <= hour && hour < until;
    }

    /** Returns true for weekends and holidays. */
    static boolean isDayOff(LocalDate day) {
        return day.getDayOfWeek() == DayOfWeek.SATURDAY
                || day.getDayOfWeek() == DayOfWeek.SUNDAY
                || HOLIDAYS.contains(MonthDay.from(day))
                || isChristmas(day);
    }

    /** Returns true from 15 October to 14 February but Christmas, and from 15 April to 19 July. */
    static boolean isTerm(LocalDate day) {
        MonthDay when = MonthDay.from(day);
        boolean winter = !when.isBefore(MonthDay.of(10, 15)) || when.isBefore(MonthDay.of(2, 15));
        boolean summer = !when.isBefore(MonthDay.of(4, 15)) && when.isBefore(MonthDay.of(7, 20));
        return (winter && !isChristmas(day)) || summer;
    }

    private static boolean isQuietPeriod(LocalDate day) {
        return day.getMonthValue() == 8 || isChristmas(day);
    }

    private static boolean isChristmas(LocalDate day) {
        MonthDay when = MonthDay.from(day);
        return !when.isBefore(MonthDay.of(12, 23)) || when.isBefore(MonthDay.of(1, 7));
    }
}
