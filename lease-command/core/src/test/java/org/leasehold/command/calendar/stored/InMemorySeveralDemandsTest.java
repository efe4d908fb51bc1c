package org.leasehold.command.calendar.stored;

class InMemorySeveralDemandsTest extends SeveralDemandsContract {

    @Override
    CalendarFixture world() {
        return new InMemoryCalendarFixture();
    }
}
