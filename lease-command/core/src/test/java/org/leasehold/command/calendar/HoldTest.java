package org.leasehold.command.calendar;

class HoldTest extends HoldContract {

    @Override
    CalendarFixture world() {
        return new PostgresCalendarFixture();
    }
}
