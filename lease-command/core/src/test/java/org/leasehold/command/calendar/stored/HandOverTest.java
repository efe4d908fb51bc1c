package org.leasehold.command.calendar.stored;

class HandOverTest extends HandOverContract {

    @Override
    CalendarFixture world() {
        return new PostgresCalendarFixture();
    }
}
