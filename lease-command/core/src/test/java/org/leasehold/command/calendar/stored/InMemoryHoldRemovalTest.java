package org.leasehold.command.calendar.stored;

class InMemoryHoldRemovalTest extends HoldRemovalContract {

    @Override
    CalendarFixture world() {
        return new InMemoryCalendarFixture();
    }
}
