package org.leasehold.command.calendar;

class AdoptTest extends AdoptContract {

    @Override
    CalendarWorld world() {
        return new CalendarDatabase();
    }
}
