package org.leasehold.command.calendar.stored;

import org.leasehold.command.calendar.Calendar;
import org.leasehold.command.calendar.CalendarRequest;
import org.leasehold.command.calendar.Grant;

import java.time.Duration;

/** The rules that every calendar keeps; a subclass names the tables of the calendar. */
abstract class CalendarContract {

    final CalendarFixture world = world();
    final Calendar calendar = world.calendar(Duration.ZERO);

    abstract CalendarFixture world();

    Grant settle(CalendarRequest<?> request) {
        return world.settle(calendar, request);
    }
}
