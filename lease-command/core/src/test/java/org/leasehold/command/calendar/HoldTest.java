package org.leasehold.command.calendar;

class HoldTest extends HoldContract {

    @Override
    CalendarWorld world() {
        return new CalendarDatabase();
    }
}
