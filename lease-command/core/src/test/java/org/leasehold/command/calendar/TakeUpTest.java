package org.leasehold.command.calendar;

class TakeUpTest extends TakeUpContract {

    @Override
    CalendarWorld world() {
        return new CalendarDatabase();
    }
}
