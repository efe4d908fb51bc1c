package org.leasehold.command.calendar;

class InMemoryTakeUpTest extends TakeUpContract {

    @Override
    CalendarWorld world() {
        return new CalendarInMemory();
    }
}
