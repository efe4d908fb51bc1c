package org.leasehold.command.calendar;

class InMemoryHoldTest extends HoldContract {

    @Override
    CalendarFixture world() {
        return new InMemoryCalendarFixture();
    }
}
