package org.leasehold.command.calendar;

class ShareTest extends ShareContract {

    @Override
    CalendarFixture world() {
        return new PostgresCalendarFixture();
    }
}
