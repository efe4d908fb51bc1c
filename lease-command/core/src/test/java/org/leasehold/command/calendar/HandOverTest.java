package org.leasehold.command.calendar;

class HandOverTest extends HandOverContract {

    @Override
    CalendarFixture world() {
        return new PostgresCalendarFixture();
    }
}
