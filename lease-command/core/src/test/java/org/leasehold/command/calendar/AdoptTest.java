package org.leasehold.command.calendar;

class AdoptTest extends AdoptContract {

    @Override
    CalendarFixture world() {
        return new PostgresCalendarFixture();
    }
}
