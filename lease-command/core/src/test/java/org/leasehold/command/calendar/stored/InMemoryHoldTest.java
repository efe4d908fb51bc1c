package org.leasehold.command.calendar.stored;

class InMemoryHoldTest extends HoldContract {

    @Override
    CalendarFixture world() {
        return new InMemoryCalendarFixture();
    }
}
