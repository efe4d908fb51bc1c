package org.leasehold.command.calendar.stored;

class ShareChangeTest extends ShareChangeContract {

    @Override
    CalendarFixture world() {
        return new PostgresCalendarFixture();
    }
}
