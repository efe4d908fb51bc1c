package org.leasehold.command.calendar.stored;

class HoldChangeTest extends HoldChangeContract {

    @Override
    CalendarFixture world() {
        return new PostgresCalendarFixture();
    }
}
