package org.leasehold.command.calendar.stored;

class SeveralDemandsTest extends SeveralDemandsContract {

    @Override
    CalendarFixture world() {
        return new PostgresCalendarFixture();
    }
}
