package org.leasehold.command.calendar.stored;

class HoldRemovalTest extends HoldRemovalContract {

    @Override
    CalendarFixture world() {
        return new PostgresCalendarFixture();
    }
}
