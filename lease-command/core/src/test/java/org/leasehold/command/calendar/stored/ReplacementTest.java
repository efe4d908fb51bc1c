package org.leasehold.command.calendar.stored;

class ReplacementTest extends ReplacementContract {

    @Override
    CalendarFixture world() {
        return new PostgresCalendarFixture();
    }
}
