package org.leasehold.command.calendar;

class InMemoryHandOverTest extends HandOverContract {

    @Override
    CalendarFixture world() {
        return new InMemoryCalendarFixture();
    }
}
