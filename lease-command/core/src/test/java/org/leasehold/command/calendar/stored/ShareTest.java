package org.leasehold.command.calendar.stored;

class ShareTest extends ShareContract {

    @Override
    CalendarFixture world() {
        return new PostgresCalendarFixture();
    }
}
