package org.leasehold.command.calendar.stored;

class InMemoryHoldChangeTest extends HoldChangeContract {

    @Override
    CalendarFixture world() {
        return new InMemoryCalendarFixture();
    }
}
