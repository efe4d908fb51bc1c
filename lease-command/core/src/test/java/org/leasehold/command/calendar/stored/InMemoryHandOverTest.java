package org.leasehold.command.calendar.stored;

class InMemoryHandOverTest extends HandOverContract {

    @Override
    CalendarFixture world() {
        return new InMemoryCalendarFixture();
    }
}
