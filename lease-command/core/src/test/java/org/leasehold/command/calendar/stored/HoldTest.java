package org.leasehold.command.calendar.stored;

class HoldTest extends HoldContract {

    @Override
    CalendarFixture world() {
        return new PostgresCalendarFixture();
    }
}
