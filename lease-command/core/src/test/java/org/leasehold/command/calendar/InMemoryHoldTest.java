package org.leasehold.command.calendar;

class InMemoryHoldTest extends HoldContract {

    @Override
    CalendarWorld world() {
        return new CalendarInMemory();
    }
}
